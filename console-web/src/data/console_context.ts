// Hands the open console and the session to the pages.
import { createContext, useContext } from 'react'
import type { OpenConsole } from '../open_console.ts'
import type { Session } from './session.ts'

export type ConsoleParts = OpenConsole & { readonly session: Session; readonly sessionKey: string }

export const ConsoleContext = createContext<ConsoleParts | null>(null)

/** Null on a page that is shown without a key as well, when there is none. */
export const useConsoleIfSignedIn = (): ConsoleParts | null => useContext(ConsoleContext)

export const useConsole = (): ConsoleParts => {
  const parts = useContext(ConsoleContext)
  if (parts === null) throw new Error('useConsole outside a signed-in page')
  return parts
}
