// What the service finds under the names in a text, a moment after the person has stopped typing.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../data/api_failure.ts'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { findNamed } from '../search/find_named.ts'
import type { Found } from '../search/found.ts'
import { type Named, readNames } from '../search/read_names.ts'

export type Finding =
  /** The text names nothing that could be looked for. */
  | { readonly kind: 'none' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'found'; readonly found: readonly Found[] }

const AFTER_MS = 150
const FRESH_MS = 30_000

export const useFound = (text: string): Finding => {
  const api = useConsoleIfSignedIn()?.api
  const settled = useSettled(text)
  const [names, setNames] = useState<readonly Named[]>([])
  useEffect(() => setNames(readNames(settled, Date.now())), [settled])
  const { data, error } = useQuery({
    queryKey: ['named', names],
    enabled: api !== undefined && names.length > 0,
    staleTime: FRESH_MS,
    retry: 1,
    queryFn: async ({ signal }) => {
      if (api === undefined) return []
      return (await Promise.all(names.map((named) => findNamed(api, named, signal)))).flat()
    },
  })
  if (api === undefined || readNames(text, Date.now()).length === 0) return { kind: 'none' }
  if (settled !== text || names.length === 0) return { kind: 'looking' }
  if (data !== undefined) return { kind: 'found', found: data }
  return error === null ? { kind: 'looking' } : { kind: 'failed', why: messageOf(error) }
}

const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
