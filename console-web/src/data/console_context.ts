// What every page may use while somebody is signed in: the API, the live events, who it is, the server's clock.
import { createContext, useContext } from 'react'
import type { Api } from './api_client.ts'
import type { SignedIn } from './credential.ts'
import type { RequestBudget } from './request_budget.ts'
import type { Store } from './store.ts'
import type { ConnectionLog } from './stream/connection_log.ts'
import type { LiveEvents } from './stream/live_events.ts'

export type ConsoleParts = {
  readonly api: Api
  /** Streams other than the beacons, over the same connection. */
  readonly live: LiveEvents
  /** The server's clock minus the local clock, in milliseconds. */
  readonly clockOffset: Store<number>
  /** Local time until which the server asked the page to slow down; 0 when it did not. */
  readonly slowedUntil: Store<number>
  /** The stream connection of this tab, and its interruptions. */
  readonly connection: ConnectionLog
  /** Null until an answer has said it. */
  readonly budget: Store<RequestBudget | null>
  readonly by: SignedIn
  /** Opens the stream. Called when the first screen stands, which waits neither for the stream nor for its code. */
  readonly connect: () => void
}

export const ConsoleContext = createContext<ConsoleParts | null>(null)

/** Null when nobody is signed in, on a page that is also shown then. */
export const useConsoleIfSignedIn = (): ConsoleParts | null => useContext(ConsoleContext)

export const useConsole = (): ConsoleParts => {
  const parts = useContext(ConsoleContext)
  if (parts === null) throw new Error('useConsole outside a signed-in page')
  return parts
}
