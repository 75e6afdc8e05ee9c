// Who is signed in on this page, and how: with an API key, or with the tokens of a sign-in. Also holds a key
// offered by a link.
import { keyCredential, type SessionState, type SignedIn } from '../data/credential.ts'
import { dropDrafts } from '../data/kept/draft.ts'
import { Store, useStore } from '../data/store.ts'
import { dropKey, isKeyText, keepKey, readKey, takeLinkKey, watchDroppedKey } from './api_key.ts'
import { openHandOver } from './hand_over.ts'
import { herePath, keepTrip, type Return, takeReturn } from './sign_in_trip.ts'
import { failureWords, meansNobody, REFUSED, reasonOf, WHY } from './sign_in_words.ts'
import { dropHint, endSignIn, hasHint, keepHint, watchDroppedHint } from './signed_in_before.ts'
import { dropTabAccount } from './tab_account.ts'
import type { TokenKeeper, Tokens } from './token_keeper.ts'

const oauth = () => import('./oauth_requests.ts')

type Requests = Awaited<ReturnType<typeof oauth>>

/** Then what would bring the session back is forgotten. */
const UNDO_MS = 8_000

class Session {
  readonly state = new Store<SessionState>({ kind: 'signed_out', message: null })
  /** A link brought this key while somebody is signed in, who decides. Null when there is none. */
  readonly offered = new Store<string | null>(null)
  /** Takes a sign-out back. Null when there is none to take back. */
  readonly undo = new Store<(() => void) | null>(null)
  readonly #tabs = openHandOver({
    ended: () => {
      if (this.#by()?.kind === 'key') this.signOut(WHY.endedInTab)
    },
  })
  /** Of the tokens of the last sign-in. */
  #keeper: TokenKeeper | null = null
  #visits = 0
  #finishLeaving = (): void => undefined
  /** The service is being told that the last sign-in has ended. */
  #ending: Promise<void> = Promise.resolve()

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
    else if (hasHint()) return void this.#enterSilently()
    this.#takeLink()
    if (this.#by() !== null) return
    if (back === 'stray') this.#toSignedOut(WHY.stray)
    else if (this.#isNobody()) void this.#enterFromTab()
  }

  signInWithKey(key: string, remembered: boolean): void {
    const by = this.#by()
    this.#finishLeaving()
    this.#begin()
    this.offered.write(null)
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

  /** The service does not accept the credential of `by`. A late answer says nothing of who has signed in since. */
  refused(by: SignedIn, status: 401 | 403): void {
    if (this.#by() === by) this.signOut(REFUSED[by.kind][status])
  }

  /** Signs out because of `message`, at once and for good. */
  signOut(message: string | null = null): void {
    const by = this.#by()
    if (by?.kind === 'key') {
      dropKey()
      this.#toNextOrSignedOut(message)
    } else if (by !== null) {
      this.state.write({ kind: 'passing', to: 'out' })
      void this.#endAccount().then((told) =>
        this.#toNextOrSignedOut(told ? message : [message, WHY.notTold].filter(Boolean).join(' ')),
      )
    }
  }

  /**
   * The person signs out. Nothing stays stored, and the other tabs are signed out, but for a few seconds this
   * page can still bring the session back. Closing or reloading the page ends these seconds.
   */
  leave(): void {
    const by = this.#by()
    if (by === null) return
    if (by.kind === 'key') {
      dropKey()
      this.#tabs.end(by.key)
    } else dropHint()
    const comeBack = (): void => {
      if (this.undo.read() !== comeBack) return
      this.undo.write(null)
      if (by.kind === 'key') keepKey(by)
      else keepHint()
      this.#enter(by)
    }
    const finish = (): void => {
      if (this.undo.read() !== comeBack) return
      this.undo.write(null)
      this.#begin()
      if (by.kind !== 'account') return
      this.#ending = this.#endAccount().then((told) => {
        if (!told && this.#isNobody()) this.#toSignedOut(WHY.notTold)
      })
    }
    setTimeout(finish, UNDO_MS)
    window.addEventListener('pagehide', finish, { once: true })
    this.#finishLeaving = finish
    this.undo.write(comeBack)
    this.#toNextOrSignedOut(null)
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
  #toNextOrSignedOut(message: string | null): void {
    const offered = this.offered.read()
    if (offered === null) this.#toSignedOut(message)
    else this.signInWithKey(offered, false)
  }

  #toSignedOut(message: string | null): void {
    this.offered.write(null)
    this.#tabs.offer(null)
    this.state.write({ kind: 'signed_out', message })
  }

  #enter(by: SignedIn): void {
    // A key that is kept on the device needs no other tab.
    this.#tabs.offer(by.kind === 'key' && !by.remembered ? by.key : null)
    this.#visits += 1
    this.state.write({ kind: 'signed_in', visit: this.#visits, by })
  }

  #enterWithKey(key: string, remembered: boolean): void {
    this.#enter({ kind: 'key', credential: keyCredential(key), key, remembered })
  }

  /** This tab was opened from another one, or beside it, and that one is signed in with a key. */
  async #enterFromTab(): Promise<void> {
    this.state.write({ kind: 'passing', to: 'in' })
    const key = await this.#tabs.ask()
    if (this.state.read().kind !== 'passing') return
    if (key === null || !isKeyText(key)) return this.#toSignedOut(null)
    keepKey({ key, remembered: false })
    this.#enterWithKey(key, false)
  }

  #enterWithTokens({ keeperOf }: Requests, tokens: Tokens): void {
    // The browser may still be signed in at the service, which then gives new tokens.
    const keeper = keeperOf(tokens, () => {
      if (this.#by()?.credential === keeper) void this.#enterSilently()
    })
    this.#keeper = keeper
    keepHint()
    this.#enter({ kind: 'account', credential: keeper })
  }

  #arrive({ trip, parameters }: Return): Promise<void> {
    return this.#enterWithAccount(async ({ arrival }) => {
      const tokens = await arrival(trip, parameters)
      this.#begin()
      return tokens
    })
  }

  /** Nobody is asked anything. A key that a link has brought waits for the decision of who is signed in then. */
  #enterSilently(): Promise<void> {
    const linked = takeLinkKey(window.location, window.history)
    if (linked !== null && isKeyText(linked)) this.offered.write(linked)
    return this.#enterWithAccount(({ silentArrival }) => silentArrival())
  }

  async #enterWithAccount(ask: (requests: Requests) => Promise<Tokens>): Promise<void> {
    this.state.write({ kind: 'passing', to: 'in' })
    try {
      const requests = await oauth()
      this.#enterWithTokens(requests, await ask(requests))
    } catch (error) {
      if (!meansNobody(error)) return this.#toSignedOut(failureWords(error))
      dropHint()
      this.#toNextOrSignedOut(WHY.ended)
    }
  }

  #listen(): void {
    window.addEventListener('hashchange', () => this.#takeLink())
    watchDroppedKey(() => {
      const by = this.#by()
      if (by?.kind === 'key' && by.remembered) this.signOut(WHY.endedInTab)
    })
    watchDroppedHint(() => this.#signedOutElsewhere())
    const wake = (): void => this.#keeper?.wake()
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
    if (this.#by()?.kind !== 'account') return
    this.#keeper?.stop()
    this.#toNextOrSignedOut(WHY.ended)
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
    if (key === null || this.state.read().kind === 'passing') return
    const by = this.#by()
    if (by === null && !isKeyText(key)) this.#toSignedOut(WHY.noKeyInLink)
    else if (by === null) this.signInWithKey(key, false)
    else if (isKeyText(key) && (by.kind === 'account' || key !== by.key)) this.offered.write(key)
  }
}

export const session = new Session()

/** Why nobody is signed in, when that is not plain. */
export const useWhySignedOut = (): string | null => {
  const state = useStore(session.state)
  return state.kind === 'signed_out' ? state.message : null
}
