// The frame of the pages about webhooks, and the sides of webhooks: endpoints, deliveries, and the built-in receiver. They
// stand on each page about webhooks, so the sheet of the room comes with them.
import './webhooks.css'
import { Link, useLocation } from 'wouter'
import { PlainPage } from '../ui/plain_page.tsx'

/** The pages of one endpoint and of one delivery have a frame of their own. */
export const WebhookPage = ({ children, ...page }: Parameters<typeof PlainPage>[0]) => (
  <PlainPage className="webhooks" {...page}>
    <WebhookPlaces />
    {children}
  </PlainPage>
)

const PLACES = [
  ['/webhooks', 'Endpoints'],
  ['/webhooks/deliveries', 'Deliveries'],
  ['/webhooks/receiver', 'Receiver'],
] as const

/** The page of one endpoint or of one delivery is none of them. */
export const WebhookPlaces = () => {
  const [path] = useLocation()
  return (
    <nav className="page-places" aria-label="Webhooks">
      {PLACES.map(([to, name]) => (
        <Link key={to} to={to} aria-current={path === to ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
