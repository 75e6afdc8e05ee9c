// The caller's webhook endpoints, and the health of each.
import { Link } from 'wouter'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { ReceiverOffer } from '../receiver/receiver_offer.tsx'
import { LoadState } from '../ui/load/load_failed.tsx'
import { useEndpoints } from '../webhooks/endpoint.ts'
import { EndpointRow } from '../webhooks/endpoint_row.tsx'
import { LocalTrial } from '../webhooks/local_trial.tsx'
import { WebhookPage } from '../webhooks/webhook_places.tsx'

export const WebhooksPage = () => {
  const pulse = useStreamPulse('webhook_deliveries')
  const loaded = useEndpoints(pulse)
  const endpoints = loaded.kind === 'found' ? loaded.value.rows : []
  return (
    <WebhookPage
      title="Webhooks"
      intro="Who is told when something happens: addresses of yours, and programs that ask."
      act={
        <Link to="/webhooks/new" className="button primary" data-testid="new-endpoint">
          New endpoint
        </Link>
      }
      isBusy={loaded.kind === 'loading'}
    >
      <LoadState loaded={loaded} what="the endpoints" missing="This service has no webhooks." />
      {loaded.kind === 'found' && endpoints.length === 0 && <Empty />}
      {endpoints.length > 0 && (
        <ul className="card flush list">
          {endpoints.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
      )}
      {endpoints.length > 0 && <LocalTrial />}
    </WebhookPage>
  )
}

const Empty = () => (
  <div className="empty" data-testid="no-endpoints">
    <h2>Nobody is told yet</h2>
    <p>
      Register an https address, and it hears when an item is submitted, gets its block, is erased or deleted.
      The claims themselves are never sent.
    </p>
    <ReceiverOffer />
    <Link to="/webhooks/new" className="button">
      Register an address of your own
    </Link>
    <LocalTrial />
  </div>
)
