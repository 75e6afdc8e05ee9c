// The form for a new webhook endpoint.

import { useLocation, useSearch } from 'wouter'
import { LocalTrial } from '../webhooks/local_trial.tsx'
import { NewEndpointForm } from '../webhooks/new_endpoint_form.tsx'
import { WebhookPlaces } from '../webhooks/webhook_places.tsx'

export const WebhookNewPage = () => {
  const [, navigate] = useLocation()
  const url = new URLSearchParams(useSearch()).get('url') ?? ''
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
            <NewEndpointForm url={url} onMade={({ id }) => navigate(`/webhooks/${id}`, { replace: true })} />
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
