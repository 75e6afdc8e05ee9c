// Who is signed in on this page, and how: with an API key, or with the tokens of a sign-in. Also holds a key
// offered by a link.
import { type Credential, keyCredential } from './credential.ts'
import { dropKey, keepKey, readKey, watchDroppedKey } from './key_storage.ts'
import { isKeyText } from './key_text.ts'
import { takeLinkKey } from './link_key.ts'
import { Store } from './store.ts'

export type SignedIn = {
  /** Another number for each sign-in, so that nothing read for one account is kept for the next. */
  readonly visit: number
  readonly credential: Credential
} & (
  | { readonly kind: 'key'; readonly key: string; readonly remembered: boolean }
  | { readonly kind: 'account' }
)

export type SessionState =
  | { readonly kind: 'signed_out'; readonly message: string | null }
  | {
      readonly kind: 'signed_in'
      readonly by: SignedIn
      /** A link brought this key while somebody is signed in. The person decides. */
      readonly offered: string | null
    }

const SIGNED_OUT: SessionState = { kind: 'signed_out', message: null }

export class Session {
  readonly state = new Store<SessionState>(SIGNED_OUT)
  #visits = 0

  /** Reads the stored key, then the link's key. Then follows later links, and sign-outs in other tabs. */
  start(): void {
    const stored = readKey()
    if (stored !== null) this.#enter(stored.key, stored.remembered)
    this.#takeLink()
    window.addEventListener('hashchange', () => this.#takeLink())
    watchDroppedKey(() => {
      const by = this.#by()
      if (by?.kind === 'key' && by.remembered) this.signOut()
    })
  }

  signInWithKey(key: string, remembered: boolean): void {
    keepKey({ key, remembered })
    this.#enter(key, remembered)
  }

  /** Keeps the session as it was before the link. */
  declineOffer(): void {
    const state = this.state.read()
    if (state.kind === 'signed_in') this.state.write({ ...state, offered: null })
  }

  /** If a link's key is waiting for a decision, it signs in, because no one is signed in who could decide. */
  signOut(message: string | null = null): void {
    const state = this.state.read()
    dropKey()
    if (state.kind === 'signed_in' && state.offered !== null) this.signInWithKey(state.offered, false)
    else this.state.write({ kind: 'signed_out', message })
  }

  #enter(key: string, remembered: boolean): void {
    this.#visits += 1
    const by: SignedIn = {
      kind: 'key',
      visit: this.#visits,
      credential: keyCredential(key),
      key,
      remembered,
    }
    this.state.write({ kind: 'signed_in', by, offered: null })
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
    const by = this.#by()
    if (key === null || (by?.kind === 'key' && key === by.key)) return
    if (by !== null && isKeyText(key)) this.state.write({ kind: 'signed_in', by, offered: key })
    else if (by !== null) return
    else if (isKeyText(key)) this.signInWithKey(key, false)
    else this.signOut('The link you followed carries no usable key. Paste your API key instead.')
  }
}
