// One endpoint in the list: its address, its health, and the most frequent actions.
import { Link } from 'wouter'
import { ActButton } from '../ui/form/act_button.tsx'
import { Shown, Tags } from '../ui/shown_text.tsx'
import { Ago, AgoFact } from '../ui/time.tsx'
import { type Endpoint, endpoints, nameOf, STATES, stateOf } from './endpoint.ts'
import { changeTo } from './endpoint_draft.ts'
import { TestSample } from './test_sample.tsx'

export const EndpointRow = ({ endpoint }: { endpoint: Endpoint }) => {
  const pause = <PauseButton endpoint={endpoint} />
  return (
    <li className="list-row endpoint" data-testid="endpoint" data-id={endpoint.id}>
      <div className="about">
        <h2>
          <Link to={`/webhooks/${endpoint.id}`} className="address-lines">
            {nameOf(endpoint)}
          </Link>
          <EndpointPill endpoint={endpoint} />
        </h2>
        {endpoint.kind === 'push' && endpoint.description !== null && (
          <p>
            <Shown text={endpoint.description} />
          </p>
        )}
        <Tags words={endpoint.events} />
        <EndpointHealth endpoint={endpoint} />
      </div>
      {endpoint.kind === 'push' ? (
        <TestSample endpoint={endpoint}>{pause}</TestSample>
      ) : (
        <div className="acts">{pause}</div>
      )}
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

/** The outcome of recent deliveries, in which tests do not count, and why an endpoint is off and what brings it back. */
export const EndpointHealth = ({ endpoint }: { endpoint: Endpoint }) => {
  const { kind, lastSuccessAt, lastFailureAt, consecutiveFailures } = endpoint
  const { tone, why } = STATES[stateOf(endpoint)]
  return (
    <p className="facts endpoint-health" data-tone={tone}>
      {lastSuccessAt === null && lastFailureAt === null && (
        <span>
          {kind === 'push' ? 'No event was sent to it yet.' : 'Nobody has read an event of it yet.'}
        </span>
      )}
      <AgoFact words={kind === 'push' ? 'Last success' : 'A new event was last read'} time={lastSuccessAt} />
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
      {why !== null && <strong>{why}</strong>}
    </p>
  )
}

export const PauseButton = ({ endpoint }: { endpoint: Endpoint }) => {
  const { id, enabled } = endpoint
  return (
    <ActButton
      caption={enabled ? 'Pause' : 'Enable'}
      icon={enabled ? 'pause' : 'play'}
      testId="pause-endpoint"
      act={({ api }) => api.patch(endpoints.at(id), changeTo(endpoint, { enabled: !enabled }))}
    />
  )
}
