// The session of the page: the signed-in key, or none and a sentence that says why. Also holds a key offered
// by a link.

import { dropKey, type KeptKey, keepKey, readKey, watchDroppedKey } from './key_storage.ts'
import { isKeyText } from './key_text.ts'
import { takeLinkKey } from './link_key.ts'
import { Store } from './store.ts'

export type SessionState = {
  readonly kept: KeptKey | null
  readonly message: string | null
  /** A link brought this key while another key is signed in. The person decides. */
  readonly offered: string | null
}

export class Session {
  readonly state = new Store<SessionState>({ kept: null, message: null, offered: null })

  /** Reads the stored key, then the link's key. Then follows later links, and sign-outs in other tabs. */
  start(): void {
    this.state.write({ kept: readKey(), message: null, offered: null })
    this.#takeLink()
    window.addEventListener('hashchange', () => this.#takeLink())
    watchDroppedKey(() => this.state.read().kept?.remembered && this.signOut())
  }

  signIn(key: string, remembered: boolean): void {
    keepKey({ key, remembered })
    this.state.write({ kept: { key, remembered }, message: null, offered: null })
  }

  /** Keeps the session as it was before the link. */
  declineOffer(): void {
    this.state.write({ ...this.state.read(), offered: null })
  }

  /** If a link's key is waiting for a decision, it signs in, because no one is signed in who could decide. */
  signOut(message: string | null = null): void {
    const { offered } = this.state.read()
    dropKey()
    if (offered === null) this.state.write({ kept: null, message, offered: null })
    else this.signIn(offered, false)
  }

  /**
   * A signed-in person is asked first, because anyone can make a link with their own key and have others work
   * in their account.
   */
  #takeLink(): void {
    const key = takeLinkKey(window.location, window.history)
    const { kept } = this.state.read()
    if (key === null || key === kept?.key) return
    if (kept !== null && isKeyText(key)) this.state.write({ kept, message: null, offered: key })
    else if (kept !== null) return
    else if (isKeyText(key)) this.signIn(key, false)
    else this.signOut('The link you followed carries no usable key. Paste your API key instead.')
  }
}
