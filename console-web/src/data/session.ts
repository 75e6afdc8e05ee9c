// Who is signed in on this page, and how: with an API key, or with the tokens of a sign-in. Also holds a key
// offered by a link.
import { ApiFailure } from './api_failure.ts'
import { type Credential, keyCredential } from './credential.ts'
import { endSignIn } from './end_sign_in.ts'
import { dropKey, keepKey, readKey, watchDroppedKey } from './key_storage.ts'
import { isKeyText } from './key_text.ts'
import { takeLinkKey } from './link_key.ts'
import { dropHint, hasHint, keepHint, watchDroppedHint } from './sign_in_hint.ts'
import { herePath, keepTrip, type Return, takeReturn } from './sign_in_trip.ts'
import { Store } from './store.ts'
import { TokenKeeper, type Tokens } from './token_keeper.ts'

export type SignedIn = {
  /** Another number for each sign-in, so that nothing read for one account is kept for the next. */
  readonly visit: number
  readonly credential: Credential
} & (
  | { readonly kind: 'key'; readonly key: string; readonly remembered: boolean }
  | { readonly kind: 'account'; readonly keeper: TokenKeeper }
)

export type SessionState =
  | { readonly kind: 'signed_out'; readonly message: string | null }
  /** On the way in or out. The service is asked, or the browser is about to leave the page. */
  | { readonly kind: 'passing'; readonly to: 'in' | 'out' }
  | {
      readonly kind: 'signed_in'
      readonly by: SignedIn
      /** A link brought this key while somebody is signed in. The person decides. */
      readonly offered: string | null
    }

const oauth = () => import('./oauth_requests.ts')

export class Session {
  readonly state = new Store<SessionState>({ kind: 'signed_out', message: null })
  #visits = 0

  /**
   * Goes on where the browser comes back from the sign-in pages. Otherwise reads the stored key, then asks
   * the service silently if this browser has signed in before, then reads the link's key. Then follows later
   * links, and sign-outs in other tabs.
   */
  start(): void {
    this.#listen()
    const back = takeReturn(window.location, window.history)
    if (back !== null && back !== 'stray') return void this.#arrive(back)
    const stored = readKey()
    if (stored !== null) this.#enterWithKey(stored.key, stored.remembered)
    if (stored === null && hasHint()) return void this.#enterSilently()
    this.#takeLink()
    if (back === 'stray' && stored === null) this.#toSignedOut(STRAY)
  }

  signInWithKey(key: string, remembered: boolean): void {
    const by = this.#by()
    if (by?.kind === 'account') {
      by.keeper.stop()
      dropHint()
      // The other account would otherwise stay signed in behind this one.
      void endSignIn()
    }
    keepKey({ key, remembered })
    this.#enterWithKey(key, remembered)
  }

  /** Leaves the page for the sign-in pages of the service. */
  signInWithAccount(): void {
    void this.#leave()
  }

  /** Keeps the session as it was before the link. */
  declineOffer(): void {
    const state = this.state.read()
    if (state.kind === 'signed_in') this.state.write({ ...state, offered: null })
  }

  signOut(message: string | null = null): void {
    const state = this.state.read()
    if (state.kind !== 'signed_in') return
    if (state.by.kind === 'key') {
      dropKey()
      this.#toSignedOut(message, state.offered)
      return
    }
    state.by.keeper.stop()
    dropHint()
    this.state.write({ kind: 'passing', to: 'out' })
    void endSignIn().then((told) =>
      this.#toSignedOut(told ? message : [message, NOT_TOLD].filter(Boolean).join(' '), state.offered),
    )
  }

  /** If a link's key is waiting for a decision, it signs in, because no one is signed in who could decide. */
  #toSignedOut(message: string | null, offered: string | null = null): void {
    if (offered !== null) this.signInWithKey(offered, false)
    else this.state.write({ kind: 'signed_out', message })
  }

  #enterWithKey(key: string, remembered: boolean): void {
    this.#visits += 1
    const by: SignedIn = { kind: 'key', visit: this.#visits, credential: keyCredential(key), key, remembered }
    this.state.write({ kind: 'signed_in', by, offered: null })
  }

  #enterWithTokens(tokens: Tokens, offered: string | null): void {
    const keeper = new TokenKeeper(
      {
        refresh: async (token) => (await oauth()).refresh(token),
        ended: () => this.#tokensEnded(keeper),
        online: () => navigator.onLine,
        random: Math.random,
        now: Date.now,
      },
      tokens,
    )
    keepHint()
    this.#visits += 1
    const by: SignedIn = { kind: 'account', visit: this.#visits, credential: keeper, keeper }
    this.state.write({ kind: 'signed_in', by, offered })
  }

  /** The browser may still be signed in at the service, which then gives new tokens. */
  #tokensEnded(keeper: TokenKeeper): void {
    const by = this.#by()
    if (by?.kind === 'account' && by.keeper === keeper) void this.#enterSilently()
  }

  async #leave(): Promise<void> {
    this.state.write({ kind: 'passing', to: 'in' })
    try {
      const { departure, issuer } = await oauth()
      const home = await issuer()
      const returnTo = herePath(window.location)
      if (home !== window.location.origin) return window.location.assign(home + returnTo)
      const { url, ...asker } = await departure(false)
      keepTrip({ ...asker, returnTo })
      window.location.assign(url)
    } catch (error) {
      this.#toSignedOut(`The sign-in could not begin. ${reasonOf(error)}`)
    }
  }

  async #arrive({ trip, parameters }: Return): Promise<void> {
    this.state.write({ kind: 'passing', to: 'in' })
    try {
      const came = await (await oauth()).arrival(trip, parameters)
      if (came.kind === 'signed_in') this.#enterWithTokens(came.tokens, null)
      else this.#toSignedOut(refusalWords(came.code))
    } catch (error) {
      this.#toSignedOut(`The sign-in did not succeed. ${reasonOf(error)}`)
    }
  }

  /** Nobody is asked anything. A key that a link has brought waits for the decision of who is signed in then. */
  async #enterSilently(): Promise<void> {
    const linked = takeLinkKey(window.location, window.history)
    const offered = linked !== null && isKeyText(linked) ? linked : offeredIn(this.state.read())
    this.state.write({ kind: 'passing', to: 'in' })
    try {
      const came = await (await oauth()).silentArrival()
      if (came.kind === 'signed_in') return this.#enterWithTokens(came.tokens, offered)
      const isCertain = NOBODY.has(came.code)
      if (isCertain) dropHint()
      this.#toSignedOut(isCertain ? null : refusalWords(came.code), isCertain ? offered : null)
    } catch (error) {
      this.#toSignedOut(`The sign-in did not succeed. ${reasonOf(error)}`)
    }
  }

  #listen(): void {
    window.addEventListener('hashchange', () => this.#takeLink())
    watchDroppedKey(() => {
      const by = this.#by()
      if (by?.kind === 'key' && by.remembered) this.signOut()
    })
    watchDroppedHint(() => this.#signedOutElsewhere())
    const wake = (): void => {
      const by = this.#by()
      if (by?.kind === 'account') by.keeper.wake()
    }
    window.addEventListener('online', wake)
    document.addEventListener('visibilitychange', wake)
    window.addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return
      // The browser shows this page as it was left: on its way, or signed in by what has ended since.
      if (!hasHint()) this.#signedOutElsewhere()
      if (this.state.read().kind === 'passing') this.#toSignedOut(null)
    })
  }

  /** The session of the browser has ended, so there is nothing to tell the service. */
  #signedOutElsewhere(): void {
    const state = this.state.read()
    if (state.kind !== 'signed_in' || state.by.kind !== 'account') return
    state.by.keeper.stop()
    this.#toSignedOut('You are signed out: the sign-in of this browser has ended.', state.offered)
  }

  #by(): SignedIn | null {
    const state = this.state.read()
    return state.kind === 'signed_in' ? state.by : null
  }

  /**
   * A signed-in person is asked first, because anyone can make a link with their own key and have others work
   * in their account.
   */
  #takeLink(): void {
    const key = takeLinkKey(window.location, window.history)
    const state = this.state.read()
    if (key === null || state.kind === 'passing') return
    const by = this.#by()
    if (by?.kind === 'key' && key === by.key) return
    if (by !== null && isKeyText(key)) this.state.write({ kind: 'signed_in', by, offered: key })
    else if (by !== null) return
    else if (isKeyText(key)) this.signInWithKey(key, false)
    else this.#toSignedOut('The link you followed carries no usable key. Paste your API key instead.')
  }
}

const offeredIn = (state: SessionState): string | null => (state.kind === 'signed_in' ? state.offered : null)

/** Anything else is code that could not be loaded. */
const reasonOf = (error: unknown): string =>
  error instanceof ApiFailure ? error.message : 'The service cannot be reached.'

const NOT_TOLD =
  'You are signed out on this page, but the service could not be told. Until it is, this browser can sign in again without a password: sign in and out once more when the service answers.'

/** What the service answers when nobody is signed in with this browser, or the person would have to be asked. */
const NOBODY: ReadonlySet<string> = new Set(['login_required', 'interaction_required', 'consent_required'])

const STRAY = 'This tab knows nothing of a sign-in that has just ended. Begin it here.'

const refusalWords = (code: string): string =>
  code === 'access_denied'
    ? 'The sign-in was cancelled.'
    : 'The service did not sign you in. Try again, or use an API key.'
