// Files that were dropped on a page that has no place for them, for the page that has one. In memory only.
import { Store } from '../data/store.ts'

/** As many as the service takes in one batch. */
export const MOST_FILES = 250

export const givenFiles = new Store<readonly File[]>([])

/** Each can be taken once. */
export const takeGiven = (): readonly File[] => {
  const given = givenFiles.read()
  givenFiles.write([])
  return given
}
