// The form for a new webhook endpoint, and then the secret by which its deliveries are signed. What was typed survives
// that a person leaves the page; the secret does not.
import { useLayoutEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useDraft } from '../data/kept/draft.ts'
import { PlainPage } from '../ui/plain_page.tsx'
import { Card } from '../ui/section.tsx'
import type { Endpoint } from '../webhooks/endpoint.ts'
import { keptOf, NEW_DRAFT, readKept } from '../webhooks/endpoint_draft.ts'
import { EndpointForm } from '../webhooks/endpoint_form.tsx'
import { LocalTrial } from '../webhooks/local_trial.tsx'
import { NewSecret } from '../webhooks/signing.tsx'
import { TestSample } from '../webhooks/test_sample.tsx'
import { WebhookPage } from '../webhooks/webhook_places.tsx'

export const WebhookNewPage = () => {
  const [, navigate] = useLocation()
  /** Where it leads at first. Without it the person goes on with what was typed. */
  const url = new URLSearchParams(useSearch()).get('url') ?? ''
  const { draft, setDraft, forget } = useDraft('endpoint', NEW_DRAFT, { read: readKept, kept: keptOf })
  // Before the form is seen, so that it is not seen without the address.
  useLayoutEffect(() => {
    if (url !== '') setDraft((held) => ({ ...held, kind: 'push', url }))
  }, [url, setDraft])
  const [made, setMade] = useState<{ readonly endpoint: Endpoint; readonly secret: string } | null>(null)
  const leave = (id: string): void => navigate(`/webhooks/${id}`, { replace: true })
  if (made !== null)
    return (
      <PlainPage title="New endpoint" name="The endpoint is there" className="webhooks">
        <div className="side-by-side" data-wide="left">
          <NewSecret secret={made.secret} onDone={() => leave(made.endpoint.id)} />
          <Card title="Try it">
            <p className="card-note">
              One sample, signed with this secret. Its record is on the endpoint’s page, which comes next.
            </p>
            <TestSample endpoint={made.endpoint} mustStay />
          </Card>
        </div>
      </PlainPage>
    )
  return (
    <WebhookPage title="New endpoint" intro="Afterwards you can send it a test, and see what came of it.">
      <div className="side-by-side" data-wide="left">
        <div className="main-side">
          <EndpointForm
            endpoint={null}
            draft={draft}
            setDraft={setDraft}
            onSaved={(endpoint, secret) => {
              forget()
              if (secret === null) leave(endpoint.id)
              else setMade({ endpoint, secret })
            }}
          />
        </div>
        <div className="side">{draft.kind === 'push' ? <OfReceivers /> : <OfReaders />}</div>
      </div>
    </WebhookPage>
  )
}

const OfReceivers = () => (
  <Card title="What a receiver can rely on">
    <ul className="points">
      <li>Any answer from 200 to 299 counts. After 408, 429, 5xx or none, there are up to 12 attempts.</li>
      <li>
        All attempts carry the same <code>webhook-id</code>: remember it, and a repetition does no harm.
      </li>
      <li>
        410 says that the receiver is gone: nothing more is sent there until the endpoint is enabled again.
      </li>
      <li>The order of events is not promised, and redirects are not followed.</li>
      <li>An answer is waited for 15 seconds. Take the event, answer, and work afterwards.</li>
    </ul>
    <LocalTrial />
  </Card>
)

const OfReaders = () => (
  <Card title="What a reader can rely on">
    <ul className="points">
      <li>Events come in the order in which they were made, up to 250 at a time, and none is passed over.</li>
      <li>Reading takes nothing away. They wait for 31 days.</li>
      <li>A request may wait up to 30 seconds for the next event.</li>
      <li>Where to ask, and how, is told once the endpoint is there.</li>
    </ul>
  </Card>
)
