// The headers that a delivery is sent with, and the request as a command for a shell.
import './webhooks.css'
import { CopyButton } from '../ui/copy_button.tsx'
import { shownText } from '../ui/shown_text.tsx'
import type { DeliveryDetail } from './delivery.ts'
import { type Endpoint, isOwnReceiver } from './endpoint.ts'
import { replayCommand, sentHeaders } from './sent_request.ts'

type RequestPanelProps = { readonly delivery: DeliveryDetail; readonly endpoint: Endpoint }

export const RequestPanel = ({ delivery, endpoint }: RequestPanelProps) => (
  <section aria-labelledby="request-title">
    <h2 id="request-title" className="section-title">
      The request <small>secrets are never shown; what the endpoint sets is shown as it is set now</small>
    </h2>
    <dl className="sent-headers" data-testid="sent-headers">
      {sentHeaders(delivery, endpoint).map(({ name, value }) => (
        <div key={name}>
          <dt>{shownText(name)}</dt>
          <dd>{value === null ? <em>hidden</em> : shownText(value)}</dd>
        </div>
      ))}
    </dl>
    <Replay delivery={delivery} endpoint={endpoint} />
  </section>
)

const Replay = ({ delivery, endpoint }: RequestPanelProps) => {
  if (isOwnReceiver(endpoint))
    return (
      <p className="card-note">
        Only this server reaches its built-in receiver, so there is no command to repeat the request from
        elsewhere.
      </p>
    )
  const command = replayCommand(delivery, endpoint)
  return (
    <details className="fold">
      <summary>Repeat it as curl</summary>
      <p className="card-note">
        The same event from your own shell, for tests of a receiver. Put secrets where the angle brackets are.
      </p>
      <div className="message-body">
        <CopyButton text={command} what="command" />
        <pre className="snippet" data-testid="replay">
          <code>{shownText(command)}</code>
        </pre>
      </div>
    </details>
  )
}
