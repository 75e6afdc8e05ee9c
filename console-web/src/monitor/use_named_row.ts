// The row that the address names: `/?event=…`. Back closes it.
import { useCallback } from 'react'
import { useLocation, useSearch } from 'wouter'
import { cameFrom } from '../data/address.ts'

const NAME = 'event'

export type NamedRow = {
  readonly name: string | null
  readonly open: (name: string) => void
  readonly close: () => void
}

export const useNamedRow = (): NamedRow => {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const name = new URLSearchParams(search).get(NAME)
  const go = useCallback(
    (wanted: string | null, replace: boolean): void => {
      const next = new URLSearchParams(search)
      next.delete(NAME)
      if (wanted !== null) next.set(NAME, wanted)
      navigate(next.size === 0 ? path : `${path}?${next}`, { replace })
    },
    [path, search, navigate],
  )
  const open = useCallback((wanted: string) => go(wanted, name !== null), [go, name])
  const close = useCallback(() => {
    // Goes back when the address before was the list, so that "back" does not open the row again.
    if (cameFrom(path)) window.history.back()
    else go(null, true)
  }, [go, path])
  return { name, open, close }
}
