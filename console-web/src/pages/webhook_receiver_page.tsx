// The built-in receiver: an address for trials, how it answers, and what arrives there, live.
import type { ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import type { Act } from '../data/use_asked.ts'
import { useDocument } from '../data/use_document.ts'
import { AddressCard } from '../receiver/address_card.tsx'
import { ArrivalList } from '../receiver/arrival_list.tsx'
import {
  addressPage,
  addressPath,
  RECEIVER_API,
  RECEIVER_PAGE,
  type Receiver,
  type ReceiverAddress,
  readContents,
  readMade,
  readReceiver,
} from '../receiver/receiver.ts'
import { reasonWords } from '../receiver/receiver_words.ts'
import { ActButton } from '../ui/form/act_button.tsx'
import { dayAndTime } from '../ui/format.ts'
import { LoadState } from '../ui/load/load_failed.tsx'
import { Section } from '../ui/section.tsx'
import { useEndpoints } from '../webhooks/endpoint.ts'
import { LocalTrial } from '../webhooks/local_trial.tsx'
import { WebhookPage } from '../webhooks/webhook_places.tsx'

export const WebhookReceiverPage = () => {
  const loaded = useDocument(RECEIVER_API, { read: readReceiver })
  return (
    <WebhookPage
      title="Built-in receiver"
      intro="An address on this machine that takes webhooks and shows them as they arrive, so that you can watch a delivery before you write a receiver of your own."
      isBusy={loaded.kind === 'loading'}
    >
      <LoadState
        loaded={loaded}
        what="whether there is one"
        missing="This service has no built-in receiver."
      />
      {loaded.kind === 'found' &&
        (loaded.value.on ? <On {...loaded.value} /> : <ReceiverOff reason={loaded.value.reason} />)}
    </WebhookPage>
  )
}

const On = ({ addresses, limits }: Receiver & { readonly on: true }) => {
  const [, navigate] = useLocation()
  const named = new URLSearchParams(useSearch()).get('address')
  const here = addresses.find(({ token }) => token === named) ?? addresses[0]
  const make: Act = async ({ api }) => {
    const { token } = readMade(await api.post(RECEIVER_API, {}))
    navigate(addressPage(token), { replace: true })
  }
  if (here === undefined)
    return (
      <div className="empty" data-testid="no-addresses">
        <h2>Three steps to your first delivery</h2>
        <ol className="steps">
          <li>Make an address. It is yours alone, and only this server reaches it.</li>
          <li>Make an endpoint for it: it says which events are sent there.</li>
          <li>Send a sample, or submit an item, and watch it arrive here.</li>
        </ol>
        <ActButton caption="Make an address" look="primary" {...MAKING} act={make} />
      </div>
    )
  return (
    <>
      {addresses.length > 1 && (
        <nav className="receiver-addresses line" aria-label="Addresses of the receiver">
          {addresses.map(({ token, requests }) => (
            <Link
              key={token}
              to={addressPage(token)}
              aria-current={token === here.token ? 'page' : undefined}
            >
              <code>{token.slice(0, 8)}…</code> ({requests})
            </Link>
          ))}
        </nav>
      )}
      <Address
        key={here.token}
        address={here}
        kept={`The newest ${limits.requests} of the last ${limits.hours} hours are kept. Secrets are not.`}
      >
        {addresses.length < limits.addresses && (
          <ActButton caption="Make another address" {...MAKING} act={make} />
        )}
      </Address>
    </>
  )
}

const MAKING = { running: 'Making it…', testId: 'make-address' } as const

type AddressProps = {
  readonly address: ReceiverAddress
  /** How long requests are kept, in words. */
  readonly kept: string
  /** Beside the end of the address. */
  readonly children: ReactNode
}

/** Milliseconds. A request arrives before its delivery is told to be over, and some are never answered. */
const POLL_MS = 3_000
const freshMs = (): number => POLL_MS

const Address = ({ address: listed, kept, children }: AddressProps) => {
  const [, navigate] = useLocation()
  const pulse = useStreamPulse('webhook_deliveries')
  const loaded = useDocument(addressPath(listed.token), { read: readContents, pulse, freshMs })
  const known = useEndpoints()
  // Shown when both are known, so that nothing moves afterwards.
  if (loaded.kind === 'loading' || known.kind === 'loading')
    return <p className="card-note">Reading what arrived…</p>
  const address = loaded.kind === 'found' ? loaded.value.address : listed
  const arrivals = loaded.kind === 'found' ? loaded.value.arrivals : []
  const endpoints = known.kind === 'found' ? known.value.rows.filter(({ url }) => url === address.url) : null
  return (
    <div className="side-by-side">
      <div className="side">
        <AddressCard address={address} endpoints={endpoints} />
      </div>
      <Section title="What arrived" note={kept} className="main-side">
        <LoadState loaded={loaded} what="what arrived" missing="This address is gone." />
        {loaded.kind === 'found' && arrivals.length === 0 && (
          <p className="card-note" data-testid="nothing-arrived">
            Nothing yet. What is sent here shows within seconds.
          </p>
        )}
        <p className="visually-hidden" role="status">
          {arrivals.length > 0 && `${arrivals.length} arrived`}
        </p>
        {arrivals.length > 0 && <ArrivalList arrivals={arrivals} />}
      </Section>
      <footer className="receiver-foot spread">
        <div className="card-note">
          Kept until {dayAndTime(address.expiresAt)}. Once it is gone it answers 404.{' '}
          <ActButton
            caption="Delete this address"
            look="text"
            testId="forget-address"
            act={async ({ api }) => {
              await api.delete(addressPath(address.token))
              navigate(RECEIVER_PAGE, { replace: true })
            }}
          />
        </div>
        {children}
      </footer>
    </div>
  )
}

/** What to do where the service has no receiver of its own. */
const ReceiverOff = ({ reason }: { reason: string }) => (
  <div className="empty" data-testid="receiver-off">
    <h2>It is off here</h2>
    <p>
      {reasonWords(reason)} The built-in receiver is for trials on one machine, so it runs only while nobody
      else can reach the server.
    </p>
    <p>
      Register the address of a receiver of your own instead: any host that the Internet reaches over https,
      such as a function in a cloud, or a tunnel to your machine that ends TLS.
    </p>
    <LocalTrial open />
  </div>
)
