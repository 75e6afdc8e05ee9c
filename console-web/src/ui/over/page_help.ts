// The help of the page that is shown. The bar has a button for it while there is one.
import { useEffect } from 'react'

type Listener = () => void

let shown: Listener | null = null
const listeners = new Set<Listener>()

const write = (next: Listener | null): void => {
  shown = next
  for (const listener of listeners) listener()
}

export const pageHelp = {
  read: (): Listener | null => shown,
  subscribe: (listener: Listener): Listener => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** @param open keeps its identity between renders */
export const usePageHelp = (open: () => void): void =>
  useEffect(() => {
    write(open)
    return () => write(null)
  }, [open])
