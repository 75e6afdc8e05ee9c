// A subscription over a WebSocket of this origin, with the session's credential.
import { createClient } from 'graphql-ws/client'
import type { Credential } from '../data/credential.ts'
import { textAt } from '../data/shape.ts'
import { type Query, queryParts } from './send_query.ts'

/**
 * Its results until the service ends it or the signal does. One attempt only: a silent reconnect would hide that results may
 * have been missed. Throws what `reasonOf` puts into words.
 */
export const openSubscription = (query: Query, credential: Credential, signal: AbortSignal) => {
  const url = new URL('/gql', window.location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  // It closes its socket with its only subscription.
  const client = createClient({
    url: url.href,
    connectionParams: async () => ({ authorization: `Bearer ${await credential.token()}` }),
    retryAttempts: 0,
  })
  const results = client.iterate(queryParts(query))
  signal.addEventListener('abort', () => void results.return?.())
  return results
}

const REASONS: Readonly<Record<number, string>> = {
  4400: 'The service did not understand this page.',
  4401: 'The service does not accept this sign-in, or not any more. Run it again.',
  1013: 'The service could not take or keep this connection.',
  4403: 'The token that this subscription began with has ended, or it may not read. Run it again.',
  4429: 'This page sent too many messages.',
}

/** The reason is a closed socket or the errors of the operation itself. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof CloseEvent) {
    const words =
      REASONS[error.code] ?? 'The connection to the service ended. What came after it is not shown here.'
    return error.reason === '' ? words : `${words} It says: ${error.reason}.`
  }
  if (Array.isArray(error))
    return error.map((one) => textAt(one, 'message') ?? 'No reason was given.').join(' ')
  return 'The service cannot be reached.'
}
