// A proof that another page fetched and hands to the verifier: it never touches the address or the storage.
import { Store } from '../data/store.ts'

export type Handed = { readonly name: string; readonly bytes: Uint8Array }

export const handedOver = new Store<Handed | null>(null)

/** What was handed over, once. */
export const takeHanded = (): Handed | null => {
  const handed = handedOver.read()
  handedOver.write(null)
  return handed
}
