// Whose account this tab showed last, so that a reload or a renewed sign-in never changes the account unsaid:
// somebody else may have signed in with this browser meanwhile.
import { drop, keep, kept } from './browser_storage.ts'
import { textAt } from './json_object.ts'

export type TabAccount = { readonly id: string; readonly name: string }

const NAME = 'pharos.account'

/** Null for the first account of this tab, or after the person has signed in here by hand. */
export const tabAccount = (): TabAccount | null => {
  try {
    const before: unknown = JSON.parse(kept('tab', NAME) ?? 'null')
    const id = textAt(before, 'id')
    const name = textAt(before, 'name')
    return id === null || name === null ? null : { id, name }
  } catch {
    return null
  }
}

export const keepTabAccount = ({ id, name }: TabAccount): void =>
  keep('tab', NAME, JSON.stringify({ id, name }))

/** The next account of this tab is one that the person has chosen. */
export const dropTabAccount = (): void => drop('tab', NAME)
