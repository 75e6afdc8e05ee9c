// Whose account this tab showed last, so that a reload or a renewed sign-in never changes the account unsaid:
// somebody else may have signed in with this browser meanwhile.
import { drop, keepJson, keptJson } from '../data/kept/browser_storage.ts'
import { shape, text } from '../data/shape.ts'
import type { Me } from './me.ts'

const readTabAccount = shape({ id: text, name: text })

const NAME = 'pharos.account'

/** Null for the first account of this tab, or after the person has signed in here by hand. */
export const tabAccount = () => keptJson('tab', NAME, readTabAccount)

/** By the address, because names are freely chosen. */
export const keepTabAccount = ({ id, name, email }: Me): void =>
  keepJson('tab', NAME, { id, name: email ?? name })

/** The next account of this tab is one that the person has chosen. */
export const dropTabAccount = (): void => drop('tab', NAME)
