// Files on their way to the page that has a place for them: in memory only, never in the address or the storage.
import { Store } from './store.ts'

/** As many as the service takes in one batch. */
export const MOST_FILES = 250

/** Dropped where nothing takes them at once. */
export const givenFiles = new Store<readonly File[]>([])

/** Each can be taken once. */
export const takeFiles = (): readonly File[] => {
  const taken = givenFiles.read()
  givenFiles.write([])
  return taken
}

/** What is meant as a proof, and the file that it is about when it comes along, in any order. */
export type ToCheck = {
  readonly files: readonly File[]
  /** That file, where it is known, or null for none. */
  readonly about?: File | null | undefined
}

/** Fetched by another page, or given there, for the verifier. */
export const handedOver = new Store<ToCheck | null>(null)
