// Who is signed in on this page: one key, or none and a sentence that says why; and a key that would take its place.

import { dropKey, type KeptKey, keepKey, readKey, watchDroppedKey } from './key_storage.ts'
import { isKeyText } from './key_text.ts'
import { takeLinkKey } from './link_key.ts'
import { Store } from './store.ts'

export type SessionState = {
  readonly kept: KeptKey | null
  readonly message: string | null
  /** A link brought it while somebody is signed in: the person decides. */
  readonly offered: string | null
}

export class Session {
  readonly state = new Store<SessionState>({ kept: null, message: null, offered: null })

  /** Takes the key from storage and then the link's; later links and other tabs' sign-outs are followed. */
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

  /** Leaves everything as it was before the link. */
  declineOffer(): void {
    this.state.write({ ...this.state.read(), offered: null })
  }

  /** Where a link waits for an answer there is nobody left to ask: it signs in, as it does where nobody was before. */
  signOut(message: string | null = null): void {
    const { offered } = this.state.read()
    dropKey()
    if (offered === null) this.state.write({ kept: null, message, offered: null })
    else this.signIn(offered, false)
  }

  /** Anybody can make a link with a key of their own and have others work in their account: whoever has one is asked. */
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
