// A proof that another page fetched or was given, and the file that it is about, for the verifier. In memory only, never in
// the address or the storage.
import { Store } from '../data/store.ts'

export const handedOver = new Store<readonly File[]>([])

/** The files that were passed on. Each can be taken once. */
export const takeHanded = (): readonly File[] => {
  const handed = handedOver.read()
  handedOver.write([])
  return handed
}
