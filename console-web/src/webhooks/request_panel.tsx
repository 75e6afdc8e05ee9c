// What a receiver or a reader gets of a delivery: its headers, the bytes that are signed with a line that checks them,
// and the request as a command for a shell.
import { useState } from 'react'
import { useDocument } from '../data/use_document.ts'
import { TextBox } from '../ui/fields.tsx'
import { SelectField } from '../ui/form/form_field.tsx'
import { utc } from '../ui/format.ts'
import { LoadFailed } from '../ui/load/load_failed.tsx'
import { Section } from '../ui/section.tsx'
import { shownText } from '../ui/shown_text.tsx'
import { bodyPath, type DeliveryDetail, readBody } from './delivery.ts'
import { type Endpoint, receiverToken } from './endpoint.ts'
import { replayCommand, sentHeaders } from './sent_request.ts'
import { checkLine, signedContent } from './signature_check.ts'

type RequestPanelProps = { readonly delivery: DeliveryDetail; readonly endpoint: Endpoint }
type WithBody = RequestPanelProps & {
  /** As it is sent, byte for byte. */
  readonly body: string
}

export const RequestPanel = ({ delivery, endpoint }: RequestPanelProps) => {
  const loaded = useDocument(bodyPath(delivery.id), { read: readBody })
  return (
    <>
      <Section
        title={endpoint.kind === 'push' ? 'The request' : 'Its headers'}
        note="secrets are never shown; what the endpoint sets is shown as it is set now"
      >
        <dl className="fields sent-headers" data-testid="sent-headers">
          {sentHeaders(delivery, endpoint).map(({ name, value, instead = 'hidden' }) => (
            <div key={name}>
              <dt>{shownText(name)}</dt>
              <dd>{value === null ? <em>{instead}</em> : shownText(value)}</dd>
            </div>
          ))}
        </dl>
        {loaded.kind === 'failed' && <LoadFailed why={loaded.why} onAgain={loaded.again} />}
        {loaded.kind === 'found' && endpoint.kind === 'push' && (
          <Replay delivery={delivery} endpoint={endpoint} body={loaded.value} />
        )}
      </Section>
      {loaded.kind === 'found' && endpoint.signing !== 'none' && (
        <Signed delivery={delivery} endpoint={endpoint} body={loaded.value} />
      )}
    </>
  )
}

/** The bytes that were signed at one attempt, and a line that checks them. */
const Signed = ({ delivery, endpoint, body }: WithBody) => {
  const isSent = endpoint.kind === 'push'
  const attempts = delivery.attemptLog.filter(({ address }) => address !== null)
  const [number, setNumber] = useState<number | null>(null)
  const chosen = attempts.find((attempt) => attempt.number === number) ?? attempts.at(-1)
  const content = signedContent(delivery.messageId, chosen?.at ?? null, body)
  return (
    <Section
      title="What is signed"
      note="the id, the time and the body, byte for byte, with full stops between"
      className="form-grid"
    >
      {isSent && chosen === undefined ? (
        <p className="card-note">Nothing yet: the time of an attempt is signed with it.</p>
      ) : (
        <>
          {attempts.length > 1 && (
            <SelectField
              label="At which attempt"
              testId="signed-attempt"
              value={String(chosen?.number)}
              options={attempts.map((attempt) => [
                String(attempt.number),
                `${attempt.number}, ${utc(attempt.at)} UTC`,
              ])}
              onChoose={(chosen) => setNumber(Number(chosen))}
            />
          )}
          <TextBox text={content} what="signed content" testId="signed-content" />
          <p className="card-note">
            {!isSent && 'Put the webhook-timestamp of the answer that you got in its place. '}
            {endpoint.signing === 'v1' ? BY_SECRET : BY_KEYS}
          </p>
          <TextBox text={checkLine(content, endpoint)} what="line" testId="check-line" />
        </>
      )}
    </Section>
  )
}

const BY_SECRET =
  'This line prints whether the signature is right. Set WEBHOOK_SIGNATURE to what webhook-signature held, and WEBHOOK_SECRET to the secret of then.'
const BY_KEYS =
  'This line prints whether the signature is right, by the public keys of the endpoint. Set WEBHOOK_SIGNATURE to what webhook-signature held, and WEBHOOK_PUBLIC_KEY to the key of then if it signs no more.'

const Replay = ({ delivery, endpoint, body }: WithBody) => {
  if (receiverToken(endpoint) !== null)
    return (
      <p className="card-note">
        Only this server reaches its built-in receiver, so there is no command to repeat the request from
        elsewhere.
      </p>
    )
  return (
    <details className="fold">
      <summary>Repeat it as curl</summary>
      <p className="card-note">
        The same event from your own shell, for tests of a receiver. Put secrets where the angle brackets are.
      </p>
      <TextBox text={replayCommand(delivery, endpoint, body)} what="command" testId="replay" />
    </details>
  )
}
