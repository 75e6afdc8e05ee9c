// One endpoint in the list: its address, its health, and the two most frequent actions.
import './webhooks.css'

import { Link } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { Ago } from '../ui/ago.tsx'
import { ActButton } from '../ui/form/act_button.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { type Endpoint, endpointPath, STATES, shortUrl, stateOf } from './endpoint.ts'
import { TestButton, TestOutcome, useTest } from './test_sample.tsx'

type EndpointRowProps = { readonly endpoint: Endpoint; readonly onChanged: () => void }

export const EndpointRow = ({ endpoint, onChanged }: EndpointRowProps) => {
  const testing = useTest(endpoint)
  return (
    <li className="list-row endpoint" data-testid="endpoint" data-id={endpoint.id}>
      <div className="about">
        <h2>
          <Link to={`/webhooks/${endpoint.id}`} className="address-lines">
            {shortUrl(endpoint.url)}
          </Link>
          <EndpointPill endpoint={endpoint} />
        </h2>
        {endpoint.description !== null && (
          <p>
            <Shown text={endpoint.description} />
          </p>
        )}
        <p className="tags">
          {endpoint.events.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </p>
        <EndpointHealth endpoint={endpoint} />
      </div>
      <div className="acts">
        <TestButton testing={testing} />
        <PauseButton endpoint={endpoint} onChanged={onChanged} />
      </div>
      <TestOutcome testing={testing} />
    </li>
  )
}

export const EndpointPill = ({ endpoint }: { endpoint: Endpoint }) => {
  const { words, tone } = STATES[stateOf(endpoint)]
  return (
    <span className="pill" data-tone={tone} data-testid="endpoint-state">
      {words}
    </span>
  )
}

/** The outcome of recent deliveries, in which tests do not count, and the reason when the endpoint was switched off. */
export const EndpointHealth = ({ endpoint }: { endpoint: Endpoint }) => {
  const { lastSuccessAt, lastFailureAt, consecutiveFailures, disabledReason } = endpoint
  return (
    <p className="facts endpoint-health" data-tone={STATES[stateOf(endpoint)].tone}>
      {lastSuccessAt === null && lastFailureAt === null && <span>No event was sent to it yet.</span>}
      {lastSuccessAt !== null && (
        <span data-kind="success">
          Last success <Ago time={lastSuccessAt} />
        </span>
      )}
      {lastFailureAt !== null && (
        <span data-kind="failure">
          Last failure <Ago time={lastFailureAt} />
        </span>
      )}
      {consecutiveFailures > 0 && (
        <span data-kind="failure">
          {consecutiveFailures === 1
            ? '1 delivery failed for good'
            : `${consecutiveFailures} deliveries in a row failed for good`}
        </span>
      )}
      {disabledReason === 'failing' && (
        <strong>
          Switched off by the service after days without success. Enable it once it is repaired.
        </strong>
      )}
    </p>
  )
}

export const PauseButton = ({ endpoint: { id, enabled }, onChanged }: EndpointRowProps) => {
  const { api } = useConsole()
  return (
    <ActButton
      caption={enabled ? 'Pause' : 'Enable'}
      icon={enabled ? 'pause' : 'play'}
      testId="pause-endpoint"
      act={async (signal) => {
        const attributes = { enabled: !enabled }
        await api.patch(endpointPath(id), { data: { type: 'webhook_endpoint', id, attributes } }, signal)
        onChanged()
      }}
    />
  )
}
