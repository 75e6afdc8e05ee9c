// What the sign-in page says when a sign-in or a sign-out did not succeed, or somebody was signed out unasked.
import { ApiFailure } from '../data/api_failure.ts'

/** Anything else is code that could not be loaded. */
export const reasonOf = (error: unknown): string =>
  error instanceof ApiFailure ? error.message : 'The service cannot be reached.'

export const NOT_TOLD =
  'You are signed out on this page, but the service could not be told. Until it is, this browser can sign in again without a password: sign in and out once more when the service answers.'

export const STRAY = 'This tab knows nothing of a sign-in that has just ended. Begin it here.'

export const NO_KEY_IN_LINK = 'The link you followed carries no usable key. Paste your API key instead.'

export const ENDED = 'You are signed out: the sign-in of this browser has ended.'

export const ENDED_IN_TAB = 'You are signed out: you signed out in another tab.'

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
