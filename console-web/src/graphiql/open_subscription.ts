// A subscription over a WebSocket of this origin, with the session's credential. Reports results until it is
// stopped.
import { createClient } from 'graphql-ws/client'
import type { Credential } from '../data/credential.ts'
import { textAt } from '../data/json_object.ts'
import { type Query, queryParts } from './send_query.ts'

type SubscriptionEvents = {
  /** Called for each result, as JSON. */
  readonly came: (text: string) => void
  /**
   * Called once, at the end, unless the page stopped it: with the reason, or null when the service ended it
   * normally.
   */
  readonly ended: (why: string | null) => void
}

/** One attempt only. A silent reconnect would hide that results may have been missed. */
export const openSubscription = (
  query: Query,
  credential: Credential,
  events: SubscriptionEvents,
  signal: AbortSignal,
): void => {
  const url = new URL('/gql', window.location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const client = createClient({
    url: url.href,
    connectionParams: async () => ({ authorization: `Bearer ${await credential.token()}` }),
    retryAttempts: 0,
  })
  const end = (why: string | null): void => {
    if (!signal.aborted) events.ended(why)
    void client.dispose()
  }
  const stop = client.subscribe(queryParts(query), {
    next: (result) => {
      if (!signal.aborted) events.came(JSON.stringify(result, null, 2))
    },
    error: (error) => end(reasonOf(error)),
    complete: () => end(null),
  })
  signal.addEventListener('abort', () => {
    stop()
    void client.dispose()
  })
}

const REASONS: Readonly<Record<number, string>> = {
  4400: 'The service did not understand this page.',
  4401: 'The service does not accept this sign-in, or not any more. Run it again.',
  1013: 'The service could not take or keep this connection.',
  4403: 'The token that this subscription began with has ended, or it may not read. Run it again.',
  4429: 'This page sent too many messages.',
}

/** The reason is a closed socket or the errors of the operation itself. */
const reasonOf = (error: unknown): string => {
  if (error instanceof CloseEvent) {
    const words =
      REASONS[error.code] ?? 'The connection to the service ended. What came after it is not shown here.'
    return error.reason === '' ? words : `${words} It says: ${error.reason}.`
  }
  if (Array.isArray(error))
    return error.map((one) => textAt(one, 'message') ?? 'No reason was given.').join(' ')
  return 'The service cannot be reached.'
}
