// The sides of webhooks: endpoints, deliveries, and the built-in receiver.
import './webhooks.css'
import { Link } from 'wouter'

export const WebhookPlaces = ({ here }: { here: 'endpoints' | 'deliveries' | 'receiver' | null }) => (
  <nav className="page-places" aria-label="Webhooks">
    <Link to="/webhooks" aria-current={here === 'endpoints' ? 'page' : undefined}>
      Endpoints
    </Link>
    <Link to="/webhooks/deliveries" aria-current={here === 'deliveries' ? 'page' : undefined}>
      Deliveries
    </Link>
    <Link to="/webhooks/receiver" aria-current={here === 'receiver' ? 'page' : undefined}>
      Receiver
    </Link>
  </nav>
)
