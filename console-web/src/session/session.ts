// Who is signed in on this page, and how: with an API key, or with the tokens of a sign-in. Also holds a key
// offered by a link.
import { keyCredential, type SessionState, type SignedIn } from '../data/credential.ts'
import { dropDrafts } from '../data/kept/draft.ts'
import { Store } from '../data/store.ts'
import { dropKey, isKeyText, keepKey, readKey, takeLinkKey, watchDroppedKey } from './api_key.ts'
import { browserHandOver, type HandOver } from './hand_over.ts'
import { startLeaving } from './leaving.ts'
import { herePath, keepTrip, type Return, takeReturn } from './sign_in_trip.ts'
import {
  ENDED,
  ENDED_IN_TAB,
  meansNobody,
  NO_KEY_IN_LINK,
  NOT_TOLD,
  reasonOf,
  refusalWords,
  STRAY,
} from './sign_in_words.ts'
import { dropHint, endSignIn, hasHint, keepHint, watchDroppedHint } from './signed_in_before.ts'
import { dropTabAccount } from './tab_account.ts'
import { TokenKeeper, type Tokens } from './token_keeper.ts'

const oauth = () => import('./oauth_requests.ts')

export class Session {
  readonly state = new Store<SessionState>({ kind: 'signed_out', message: null })
  /** Takes a sign-out back. Null when there is none to take back. */
  readonly undo = new Store<(() => void) | null>(null)
  readonly #tabs: HandOver
  /** Of the tokens of the last sign-in. */
  #keeper: TokenKeeper | null = null
  #visits = 0
  #finishLeaving = (): void => undefined
  /** The service is being told that the last sign-in has ended. */
  #ending: Promise<void> = Promise.resolve()

  constructor(tabs?: HandOver) {
    this.#tabs = tabs ?? browserHandOver(() => this.#keyEndedElsewhere())
  }

  /**
   * Goes on where the browser comes back from the sign-in pages. Otherwise reads the stored key, then asks
   * the service silently if this browser has signed in before, then reads the link's key, then asks the other
   * tabs. Then follows later links, and sign-outs in other tabs.
   */
  start(): void {
    this.#listen()
    const back = takeReturn(window.location, window.history)
    if (back !== null && back !== 'stray') return void this.#arrive(back)
    const stored = readKey()
    if (stored !== null) this.#enterWithKey(stored.key, stored.remembered)
    if (stored === null && hasHint()) return void this.#enterSilently()
    this.#takeLink()
    if (this.#by() !== null) return
    if (back === 'stray') this.#toSignedOut(STRAY)
    else if (this.#isNobody()) void this.#enterFromTab()
  }

  signInWithKey(key: string, remembered: boolean): void {
    const by = this.#by()
    this.#finishLeaving()
    this.#begin()
    // The other account would otherwise stay signed in behind this one.
    if (by?.kind === 'account') void this.#endAccount()
    keepKey({ key, remembered })
    this.#enterWithKey(key, remembered)
  }

  /** Leaves the page for the sign-in pages of the service. */
  async signInWithAccount(): Promise<void> {
    this.#finishLeaving()
    this.state.write({ kind: 'passing', to: 'in' })
    try {
      await this.#ending
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

  /** Keeps the session as it was before the link. */
  declineOffer(): void {
    const state = this.state.read()
    if (state.kind === 'signed_in') this.state.write({ ...state, offered: null })
  }

  /** Signs out because of `message`, at once and for good. */
  signOut(message: string | null = null): void {
    const state = this.state.read()
    if (state.kind !== 'signed_in') return
    if (state.by.kind === 'key') {
      dropKey()
      this.#toSignedOut(message, state.offered)
      return
    }
    this.state.write({ kind: 'passing', to: 'out' })
    void this.#endAccount().then((told) =>
      this.#toSignedOut(told ? message : [message, NOT_TOLD].filter(Boolean).join(' '), state.offered),
    )
  }

  /**
   * The person signs out. Nothing stays stored, and the other tabs are signed out, but for a few seconds this
   * page can still bring the session back. Closing or reloading the page ends these seconds.
   */
  leave(): void {
    const state = this.state.read()
    if (state.kind !== 'signed_in') return
    const { by } = state
    if (by.kind === 'key') {
      dropKey()
      this.#tabs.end(by.key)
    } else dropHint()
    this.#finishLeaving = startLeaving(this.undo, {
      comeBack: () => {
        if (by.kind === 'key') keepKey(by)
        else keepHint()
        this.#enter(by, null)
      },
      finish: () => {
        this.#begin()
        if (by.kind !== 'account') return
        this.#ending = this.#endAccount().then((told) => {
          if (!told && this.#isNobody()) this.#toSignedOut(NOT_TOLD)
        })
      },
    })
    this.#toSignedOut(null, state.offered)
  }

  /** Nothing of the person from before is kept for the next, who chose to sign in here. */
  #begin(): void {
    dropDrafts()
    dropTabAccount()
  }

  /** False when the service could not be told. */
  #endAccount(): Promise<boolean> {
    this.#keeper?.stop()
    dropHint()
    return endSignIn()
  }

  /** If a link's key is waiting for a decision, it signs in, because no one is signed in who could decide. */
  #toSignedOut(message: string | null, offered: string | null = null): void {
    if (offered !== null) this.signInWithKey(offered, false)
    else {
      this.#tabs.offer(null)
      this.state.write({ kind: 'signed_out', message })
    }
  }

  #enter(by: SignedIn, offered: string | null): void {
    // A key that is kept on the device needs no other tab.
    this.#tabs.offer(by.kind === 'key' && !by.remembered ? by.key : null)
    this.state.write({ kind: 'signed_in', by, offered })
  }

  #enterWithKey(key: string, remembered: boolean): void {
    this.#visits += 1
    this.#enter({ kind: 'key', visit: this.#visits, credential: keyCredential(key), key, remembered }, null)
  }

  /** This tab was opened from another one, or beside it, and that one is signed in with a key. */
  async #enterFromTab(): Promise<void> {
    const before = this.state.read()
    this.state.write({ kind: 'passing', to: 'in' })
    const key = await this.#tabs.ask()
    if (this.state.read().kind !== 'passing') return
    if (key === null || !isKeyText(key)) return this.state.write(before)
    keepKey({ key, remembered: false })
    this.#enterWithKey(key, false)
  }

  #enterWithTokens(tokens: Tokens, offered: string | null): void {
    const keeper = new TokenKeeper(
      {
        refresh: async (token) => (await oauth()).refresh(token),
        // The browser may still be signed in at the service, which then gives new tokens.
        ended: () => {
          if (this.#by()?.credential === keeper) void this.#enterSilently()
        },
        online: () => navigator.onLine,
        random: Math.random,
        now: Date.now,
      },
      tokens,
    )
    this.#keeper = keeper
    keepHint()
    this.#visits += 1
    this.#enter({ kind: 'account', visit: this.#visits, credential: keeper }, offered)
  }

  async #arrive({ trip, parameters }: Return): Promise<void> {
    this.state.write({ kind: 'passing', to: 'in' })
    try {
      const came = await (await oauth()).arrival(trip, parameters)
      if (came.kind === 'signed_in') {
        this.#begin()
        this.#enterWithTokens(came.tokens, null)
      } else this.#toSignedOut(refusalWords(came.code))
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
      const isCertain = meansNobody(came.code)
      if (isCertain) dropHint()
      this.#toSignedOut(isCertain ? ENDED : refusalWords(came.code), isCertain ? offered : null)
    } catch (error) {
      this.#toSignedOut(`The sign-in did not succeed. ${reasonOf(error)}`)
    }
  }

  #listen(): void {
    window.addEventListener('hashchange', () => this.#takeLink())
    watchDroppedKey(() => {
      const by = this.#by()
      if (by?.kind === 'key' && by.remembered) this.signOut(ENDED_IN_TAB)
    })
    watchDroppedHint(() => this.#signedOutElsewhere())
    const wake = (): void => {
      if (this.#by()?.kind === 'account') this.#keeper?.wake()
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

  /** Another tab with this key has signed out. */
  #keyEndedElsewhere(): void {
    if (this.#by()?.kind === 'key') this.signOut(ENDED_IN_TAB)
  }

  /** The session of the browser has ended, so there is nothing to tell the service. */
  #signedOutElsewhere(): void {
    const state = this.state.read()
    if (state.kind !== 'signed_in' || state.by.kind !== 'account') return
    this.#keeper?.stop()
    this.#toSignedOut(ENDED, state.offered)
  }

  /** Nobody is signed in, and nothing else has been said. */
  #isNobody(): boolean {
    const state = this.state.read()
    return state.kind === 'signed_out' && state.message === null
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
    else this.#toSignedOut(NO_KEY_IN_LINK)
  }
}

const offeredIn = (state: SessionState): string | null => (state.kind === 'signed_in' ? state.offered : null)
