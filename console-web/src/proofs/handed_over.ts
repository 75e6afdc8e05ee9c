// A proof that another page fetched for the verifier. It is kept in memory only, never in the address or the
// storage.
import { Store } from '../data/store.ts'

export type Handed = { readonly name: string; readonly bytes: Uint8Array }

export const handedOver = new Store<Handed | null>(null)

/** The proof that was passed on. Each can be taken once. */
export const takeHanded = (): Handed | null => {
  const handed = handedOver.read()
  handedOver.write(null)
  return handed
}
