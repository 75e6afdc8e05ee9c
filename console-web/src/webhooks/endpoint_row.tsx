// One endpoint in the list: its address, its health, and the two most frequent actions.
import './webhooks.css'

import { Link } from 'wouter'
import { Ago } from '../ui/ago.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { type Endpoint, shortUrl, stateOf, stateWords } from './endpoint.ts'
import { PauseButton } from './pause_button.tsx'
import { TestButton, TestOutcome, useTest } from './test_sample.tsx'

type EndpointRowProps = { readonly endpoint: Endpoint; readonly onChanged: () => void }

export const EndpointRow = ({ endpoint, onChanged }: EndpointRowProps) => {
  const testing = useTest(endpoint)
  const state = stateOf(endpoint)
  return (
    <li className="endpoint" data-state={state} data-testid="endpoint" data-id={endpoint.id}>
      <div className="endpoint-what">
        <h2>
          <Link to={`/webhooks/${endpoint.id}`} className="address-lines">
            {shortUrl(endpoint.url)}
          </Link>
          <span className="state-pill" data-state={state} data-testid="endpoint-state">
            {stateWords[state]}
          </span>
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
      <div className="thing-acts">
        <TestButton testing={testing} />
        <PauseButton endpoint={endpoint} onChanged={onChanged} />
      </div>
      <TestOutcome testing={testing} />
    </li>
  )
}

/** The outcome of recent deliveries, in which tests do not count, and the reason when the endpoint was switched off. */
export const EndpointHealth = ({ endpoint }: { endpoint: Endpoint }) => {
  const { lastSuccessAt, lastFailureAt, consecutiveFailures, disabledReason } = endpoint
  return (
    <p className="endpoint-health" data-state={stateOf(endpoint)}>
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
