// The form for a new webhook endpoint. What was typed survives that a person leaves the page.
import { useLayoutEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useDraft } from '../data/kept/draft.ts'
import { keptOf, NEW_DRAFT, readKept } from '../webhooks/endpoint_draft.ts'
import { EndpointForm } from '../webhooks/endpoint_form.tsx'
import { LocalTrial } from '../webhooks/local_trial.tsx'
import { WebhookPlaces } from '../webhooks/webhook_places.tsx'

export const WebhookNewPage = () => {
  const [, navigate] = useLocation()
  /** Where it leads at first. Without it the person goes on with what was typed. */
  const url = new URLSearchParams(useSearch()).get('url') ?? ''
  const { draft, setDraft, forget } = useDraft('endpoint', NEW_DRAFT, { read: readKept, kept: keptOf })
  // Before the form is seen, so that it is not seen without the address.
  useLayoutEffect(() => {
    if (url !== '') setDraft((held) => ({ ...held, url }))
  }, [url, setDraft])
  return (
    <>
      <title>New endpoint · Pharos</title>
      <main className="plain-page webhooks">
        <header className="page-head">
          <h1>New endpoint</h1>
          <p>Afterwards you can send it a test, and see what came of it.</p>
        </header>
        <WebhookPlaces here={null} />
        <div className="side-by-side" data-wide="left">
          <div className="main-side">
            <EndpointForm
              endpoint={null}
              draft={draft}
              setDraft={setDraft}
              onSaved={({ id }) => {
                forget()
                navigate(`/webhooks/${id}`, { replace: true })
              }}
            />
          </div>
          <div className="side">
            <section className="card" aria-labelledby="promises">
              <h2 id="promises">What a receiver can rely on</h2>
              <ul className="promises">
                <li>
                  Any answer from 200 to 299 counts. After 408, 429, 5xx or none, there are up to 12 attempts.
                </li>
                <li>
                  All attempts carry the same <code>webhook-id</code>: remember it, and a repetition does no
                  harm.
                </li>
                <li>The order of events is not promised, and redirects are not followed.</li>
                <li>An answer is waited for 15 seconds. Take the event, answer, and work afterwards.</li>
              </ul>
              <LocalTrial />
            </section>
          </div>
        </div>
      </main>
    </>
  )
}
