// The two sides of webhooks: where events go, and what went there.
import { PageLink } from '../ui/page_link.tsx'

export const WebhookPlaces = ({ here }: { here: 'endpoints' | 'deliveries' | null }) => (
  <nav className="webhook-places" aria-label="Webhooks">
    <PageLink to="/webhooks" aria-current={here === 'endpoints' ? 'page' : undefined}>
      Endpoints
    </PageLink>
    <PageLink to="/webhooks/deliveries" aria-current={here === 'deliveries' ? 'page' : undefined}>
      Deliveries
    </PageLink>
  </nav>
)
