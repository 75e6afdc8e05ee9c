// What the service finds under the names in a text, a moment after the person has stopped typing: what it names, or else
// items whose name has it in it.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ItemName } from '../../../shared/search/question_of.ts'
import { type Named, readNames } from '../../../shared/search/read_names.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { findNamed } from '../search/find_named.ts'
import type { Found } from '../search/found.ts'
import { useSettled } from '../ui/use_settled.ts'

export type Finding =
  /** The text names nothing that could be looked for, or is no item's name. */
  | { readonly kind: 'none' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'failed'; readonly why: string }
  | {
      readonly kind: 'found'
      readonly found: readonly Found[]
      /** The text may as well be a command. */
      readonly byName: boolean
    }

const AFTER_MS = 150
/** Looking through names costs the service more. */
const NAME_AFTER_MS = 400
/** Shorter texts are in too many names. */
const SHORTEST_NAME = 3
const FRESH_MS = 30_000

export const useFound = (text: string): Finding => {
  const api = useConsoleIfSignedIn()?.api
  const byName = readNames(text, Date.now()).length === 0
  const settled = useSettled(text, byName ? NAME_AFTER_MS : AFTER_MS)
  const [names, setNames] = useState<readonly (Named | ItemName)[]>([])
  useEffect(() => setNames(namesIn(settled)), [settled])
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
  if (api === undefined || (byName && text.trim().length < SHORTEST_NAME)) return { kind: 'none' }
  if (settled !== text || names.length === 0) return { kind: 'looking' }
  if (data !== undefined)
    return byName && data.length === 0 ? { kind: 'none' } : { kind: 'found', found: data, byName }
  return error === null ? { kind: 'looking' } : { kind: 'failed', why: messageOf(error) }
}

const namesIn = (text: string): readonly (Named | ItemName)[] => {
  const names = readNames(text, Date.now())
  const name = text.trim()
  return names.length > 0 || name.length < SHORTEST_NAME ? names : [{ kind: 'name', text: name }]
}
