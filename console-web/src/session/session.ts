// Who is signed in on this page: one key, or none and a sentence that says why.
import { Store } from '../store.ts'
import { dropKey, type KeptKey, keepKey, readKey, watchDroppedKey } from './key_storage.ts'
import { isKeyText } from './key_text.ts'
import { takeLinkKey } from './link_key.ts'

export type SessionState = { readonly kept: KeptKey | null; readonly message: string | null }

export class Session {
  readonly state = new Store<SessionState>({ kept: null, message: null })

  /** Takes a key from the link first, then from storage; later links and other tabs' sign-outs are followed. */
  start(): void {
    if (!this.#takeLink()) this.state.write({ kept: readKey(), message: null })
    window.addEventListener('hashchange', () => this.#takeLink())
    watchDroppedKey(() => this.state.read().kept?.remembered && this.signOut())
  }

  signIn(key: string, remembered: boolean): void {
    keepKey({ key, remembered })
    this.state.write({ kept: { key, remembered }, message: null })
  }

  signOut(message: string | null = null): void {
    dropKey()
    this.state.write({ kept: null, message })
  }

  #takeLink(): boolean {
    const key = takeLinkKey(window.location, window.history)
    if (key === null) return false
    if (isKeyText(key)) this.signIn(key, false)
    else this.signOut('The link you followed carries no usable key. Paste your API key instead.')
    return true
  }
}
