// Who is signed in on this page, and how.
import type { Credential } from './credential.ts'

export type SignedIn = {
  /** Another number for each sign-in, so that nothing read for one account is kept for the next. */
  readonly visit: number
  readonly credential: Credential
} & (
  | { readonly kind: 'key'; readonly key: string; readonly remembered: boolean }
  | { readonly kind: 'account' }
)
