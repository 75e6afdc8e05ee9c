// Files on their way to the page that has a place for them: in memory only, never in the address or the storage.
import { Store } from './store.ts'

/** As many as the service takes in one batch. */
export const MOST_FILES = 250

/** Dropped where nothing takes them at once. */
export const givenFiles = new Store<readonly File[]>([])

/** A proof that another page fetched or was given, and the file that it is about, for the verifier. */
export const handedOver = new Store<readonly File[]>([])

/** Each can be taken once. */
export const takeFiles = (from: Store<readonly File[]>): readonly File[] => {
  const taken = from.read()
  from.write([])
  return taken
}
