// Who is signed in on this page, and what it shows the server to act for that account: an API key, or the access tokens
// of a sign-in, which change.

export type Credential = {
  /**
   * The token to send now.
   * @throws ApiFailure when there is none now
   */
  readonly token: () => Promise<string>
  /**
   * Another token in place of one that the server refused. Null when there is no other.
   * @throws ApiFailure when nobody can say now
   */
  readonly another: (refused: string) => Promise<string | null>
  /** Calls `renewed` when there is a new token. The returned function ends that. */
  readonly follow: (renewed: () => void) => () => void
}

export const keyCredential = (key: string): Credential => ({
  token: () => Promise.resolve(key),
  another: () => Promise.resolve(null),
  follow: () => () => undefined,
})

/**
 * Sends with the present token. When the server does not accept it, once more with another one; the second
 * answer counts. A 401 means that nothing was done, so every method may be repeated.
 */
export const sendWith = async (
  { token, another }: Credential,
  send: (token: string) => Promise<Response>,
): Promise<Response> => {
  const first = await token()
  const response = await send(first)
  if (response.status !== 401) return response
  const second = await another(first)
  if (second === null) return response
  await response.body?.cancel()
  return send(second)
}

export type SignedIn = {
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
  /** `visit`: another number for each sign-in, so that nothing read for one account is kept for the next. */
  | { readonly kind: 'signed_in'; readonly visit: number; readonly by: SignedIn }
