// One address of the built-in receiver: its URL, the endpoints that lead there, and how it answers. It stands beside whatever
// else is told of the address, so the sheet of the room comes with it.
import './receiver.css'
import { Link } from 'wouter'
import { useAsked } from '../data/use_asked.ts'
import { Command } from '../ui/copy_button.tsx'
import { Choice } from '../ui/form/choice.tsx'
import { Problem } from '../ui/problem.tsx'
import { Card } from '../ui/section.tsx'
import type { Endpoint } from '../webhooks/endpoint.ts'
import { TestSample } from '../webhooks/test_sample.tsx'
import { addressPath, type ReceiverAddress, type ReceiverAnswer } from './receiver.ts'

type AddressCardProps = {
  readonly address: ReceiverAddress
  /** Those that lead there. Null until they are known. */
  readonly endpoints: readonly Endpoint[] | null
}

export const AddressCard = ({ address, endpoints }: AddressCardProps) => {
  const { why, ask } = useAsked()
  const { token, url, answers } = address
  const answer = (wanted: ReceiverAnswer): void =>
    ask(({ api }) => api.patch(addressPath(token), { answers: wanted }))
  return (
    <>
      <Card title="The address">
        <Command text={url} what="address" testId="receiver-url" />
        {endpoints?.length === 0 && (
          <>
            <p className="card-note">Nothing is sent here yet. An endpoint says what is.</p>
            <Link
              to={`/webhooks/new?url=${encodeURIComponent(url)}`}
              className="button primary"
              data-testid="make-endpoint"
            >
              Make an endpoint for it
            </Link>
          </>
        )}
        {endpoints?.map((endpoint) => (
          <Sender key={endpoint.id} endpoint={endpoint} />
        ))}
      </Card>
      <Card title="What it answers" className="receiver-answers">
        <Choice
          label="From now on"
          note={NOTES[answers]}
          options={ANSWERS}
          value={answers}
          onChange={answer}
        />
        <Problem>{why}</Problem>
      </Card>
    </>
  )
}

const ANSWERS = { ok: '200', error: '500', slow: 'Slowly', never: 'Not at all' } as const

/** What follows from each. */
const NOTES = {
  ok: '200 at once. The delivery has got through.',
  error:
    '500 at once. An event is tried again after about 15 seconds, then ever later, and is called retrying meanwhile.',
  slow: '200 after 5 seconds. That counts: an answer is waited for 15 seconds.',
  never: 'No answer. The attempt ends after 15 seconds, and the event is tried again.',
} as const

/** An endpoint with this address, and a sample at once. */
const Sender = ({ endpoint }: { endpoint: Endpoint }) => (
  <div className="receiver-sender">
    <p className="card-note">
      <Link to={`/webhooks/${endpoint.id}`}>Your endpoint</Link> sends{' '}
      {endpoint.events.map((name) => (
        <code key={name}>{name} </code>
      ))}
      {endpoint.enabled ? 'here.' : 'here once it is enabled.'} Submit an item, or send a sample.
    </p>
    <TestSample endpoint={endpoint}>
      <Link to="/items/new" className="button">
        Submit an item
      </Link>
    </TestSample>
  </div>
)
