// What the sign-in page says when a sign-in or a sign-out did not succeed, or somebody was signed out unasked.
import { ApiFailure } from '../data/api_failure.ts'

/** Anything else is code that could not be loaded. */
export const reasonOf = (error: unknown): string =>
  error instanceof ApiFailure ? error.message : 'The service cannot be reached.'

/** Why nobody is signed in. */
export const WHY = {
  notTold:
    'You are signed out on this page, but the service could not be told. Until it is, this browser can sign in again without a password: sign in and out once more when the service answers.',
  stray: 'This tab knows nothing of a sign-in that has just ended. Begin it here.',
  noKeyInLink: 'The link you followed carries no usable key. Paste your API key instead.',
  ended: 'You are signed out: the sign-in of this browser has ended.',
  endedInTab: 'You are signed out: you signed out in another tab.',
} as const

/** By who is signed in, and with what status the service answered. */
export const REFUSED = {
  key: {
    401: 'You are signed out: the service does not accept this key. It may be mistyped, revoked or expired.',
    403: 'You are signed out: this key may not read the beacons.',
  },
  account: {
    401: 'You are signed out: the service does not accept this sign-in any more.',
    403: 'You are signed out: this account may not read the beacons.',
  },
} as const

/** What the service answers when nobody is signed in with this browser, or the person would have to be asked. */
const NOBODY: ReadonlySet<string> = new Set(['login_required', 'interaction_required', 'consent_required'])

export const meansNobody = (error: unknown): boolean =>
  error instanceof ApiFailure && NOBODY.has(error.code ?? '')

export const failureWords = (error: unknown): string =>
  error instanceof ApiFailure && error.kind === 'refused'
    ? error.message
    : `The sign-in did not succeed. ${reasonOf(error)}`

export const refusalWords = (code: string): string =>
  code === 'access_denied'
    ? 'The sign-in was cancelled.'
    : 'The service did not sign you in. Try again, or use an API key.'
