// The two sides of webhooks: endpoints and deliveries.
import './webhooks.css'
import { Link } from 'wouter'

export const WebhookPlaces = ({ here }: { here: 'endpoints' | 'deliveries' | null }) => (
  <nav className="page-places" aria-label="Webhooks">
    <Link to="/webhooks" aria-current={here === 'endpoints' ? 'page' : undefined}>
      Endpoints
    </Link>
    <Link to="/webhooks/deliveries" aria-current={here === 'deliveries' ? 'page' : undefined}>
      Deliveries
    </Link>
  </nav>
)
