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

export type SessionState =
  /** `message`: why nobody is signed in, when that is not plain. */
  | { readonly kind: 'signed_out'; readonly message: string | null }
  /** On the way in or out. The service is asked, or the browser is about to leave the page. */
  | { readonly kind: 'passing'; readonly to: 'in' | 'out' }
  | { readonly kind: 'signed_in'; readonly by: SignedIn }
