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
import { answerNames, answerNotes } from './receiver_words.ts'

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
          note={answerNotes[answers]}
          options={answerNames}
          value={answers}
          onChange={answer}
        />
        <Problem>{why}</Problem>
      </Card>
    </>
  )
}

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
