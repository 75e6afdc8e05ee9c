// The built-in receiver: an address for trials, how it answers, and what arrives there, live.
import type { ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useDocument } from '../data/use_document.ts'
import { useStreamPulse } from '../data/use_stream_pulse.ts'
import { AddressCard } from '../receiver/address_card.tsx'
import { AddressEnd } from '../receiver/address_end.tsx'
import { ArrivalList } from '../receiver/arrival_list.tsx'
import { MakeAddress } from '../receiver/make_address.tsx'
import {
  addressPage,
  addressPath,
  RECEIVER_API,
  RECEIVER_PAGE,
  type Receiver,
  type ReceiverAddress,
  readContents,
  readReceiver,
} from '../receiver/receiver.ts'
import { ReceiverOff } from '../receiver/receiver_off.tsx'
import { ALL_ENDPOINTS_PATH, readEndpointPage } from '../webhooks/endpoint.ts'
import { WebhookPlaces } from '../webhooks/webhook_places.tsx'

export const WebhookReceiverPage = () => {
  const loaded = useDocument(RECEIVER_API, { read: readReceiver })
  return (
    <>
      <title>Built-in receiver · Pharos</title>
      <main className="plain-page webhooks" aria-busy={loaded.kind === 'loading'}>
        <header className="page-head">
          <h1>Built-in receiver</h1>
          <p>
            An address on this machine that takes webhooks and shows them as they arrive, so that you can
            watch a delivery before you write a receiver of your own.
          </p>
        </header>
        <WebhookPlaces here="receiver" />
        {loaded.kind === 'loading' && <p className="card-note">Asking whether there is one…</p>}
        {(loaded.kind === 'failed' || loaded.kind === 'missing') && (
          <p className="problem" role="alert">
            {loaded.kind === 'failed' ? loaded.why : 'This service has no built-in receiver.'}{' '}
            <button type="button" className="text-button" onClick={loaded.again}>
              Try again
            </button>
          </p>
        )}
        {loaded.kind === 'found' &&
          (loaded.value.on ? (
            <On receiver={loaded.value} onChanged={loaded.again} />
          ) : (
            <ReceiverOff reason={loaded.value.reason} />
          ))}
      </main>
    </>
  )
}

type OnProps = { readonly receiver: Receiver & { readonly on: true }; readonly onChanged: () => void }

const On = ({ receiver: { addresses, most, keptRequests, keptHours }, onChanged }: OnProps) => {
  const [, navigate] = useLocation()
  const named = new URLSearchParams(useSearch()).get('address')
  const here = addresses.find(({ token }) => token === named) ?? addresses[0]
  const show = ({ token }: ReceiverAddress): void => {
    onChanged()
    navigate(addressPage(token), { replace: true })
  }
  if (here === undefined)
    return (
      <div className="empty" data-testid="no-addresses">
        <h2>Three steps to your first delivery</h2>
        <ol className="receiver-steps">
          <li>Make an address. It is yours alone, and only this server reaches it.</li>
          <li>Make an endpoint for it: it says which events are sent there.</li>
          <li>Send a sample, or submit an item, and watch it arrive here.</li>
        </ol>
        <MakeAddress caption="Make an address" isPrimary onMade={show} />
      </div>
    )
  return (
    <>
      {addresses.length > 1 && (
        <nav className="receiver-addresses" aria-label="Addresses of the receiver">
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
        kept={`The newest ${keptRequests} of the last ${keptHours} hours are kept. Secrets are not.`}
        onForgotten={() => {
          onChanged()
          navigate(RECEIVER_PAGE, { replace: true })
        }}
      >
        {addresses.length < most && (
          <MakeAddress caption="Make another address" isPrimary={false} onMade={show} />
        )}
      </Address>
    </>
  )
}

type AddressProps = {
  readonly address: ReceiverAddress
  /** How long requests are kept, in words. */
  readonly kept: string
  readonly onForgotten: () => void
  /** Beside the end of the address. */
  readonly children: ReactNode
}

/** Milliseconds. A request arrives before its delivery is told to be over, and some are never answered. */
const POLL_MS = 3_000
const freshMs = (): number => POLL_MS

const Address = ({ address: listed, kept, onForgotten, children }: AddressProps) => {
  const pulse = useStreamPulse('webhook_deliveries')
  const loaded = useDocument(addressPath(listed.token), { read: readContents, pulse, freshMs })
  const known = useDocument(ALL_ENDPOINTS_PATH, { read: readEndpointPage })
  // Shown when both are known, so that nothing moves afterwards.
  if (loaded.kind === 'loading' || known.kind === 'loading')
    return <p className="card-note">Reading what arrived…</p>
  const address = loaded.kind === 'found' ? loaded.value.address : listed
  const arrivals = loaded.kind === 'found' ? loaded.value.arrivals : []
  const endpoints = known.kind === 'found' ? known.value.rows.filter(({ url }) => url === address.url) : null
  return (
    <div className="side-by-side">
      <div className="side">
        <AddressCard address={address} endpoints={endpoints} onChanged={loaded.again} />
      </div>
      <section className="main-side" aria-labelledby="arrived">
        <h2 id="arrived" className="section-title">
          What arrived <small>{kept}</small>
        </h2>
        {loaded.kind === 'failed' && <p className="problem">{loaded.why}</p>}
        {loaded.kind === 'missing' && <p className="problem">This address is gone.</p>}
        {loaded.kind === 'found' && arrivals.length === 0 && (
          <p className="card-note" data-testid="nothing-arrived">
            Nothing yet. What is sent here shows within seconds.
          </p>
        )}
        <p className="visually-hidden" role="status">
          {arrivals.length > 0 && `${arrivals.length} arrived`}
        </p>
        {arrivals.length > 0 && <ArrivalList arrivals={arrivals} />}
      </section>
      <footer className="receiver-foot">
        <AddressEnd address={address} onForgotten={onForgotten} />
        {children}
      </footer>
    </div>
  )
}
