// Files that were dropped on a page that has no place for them, for the page that has one. In memory only.
import { Store } from '../data/store.ts'

export const givenFiles = new Store<readonly File[]>([])

/** Each can be taken once. */
export const takeGiven = (): readonly File[] => {
  const given = givenFiles.read()
  givenFiles.write([])
  return given
}
