// The hook of one kind of live list. The last few lists are kept, so that going back finds the same rows at the same place.
import { useEffect, useMemo } from 'react'
import type { Api } from '../api_client.ts'
import { useConsole } from '../console_context.ts'
import type { Row } from '../newest_first.ts'
import { useStore } from '../store.ts'
import { heldBack, type ListRules } from './list_rules.ts'
import { LiveList } from './live_list.ts'

const KEPT = 3

/**
 * @param nameOf the same for lists of the same rows
 * @returns a hook, to which `of` is the same object as long as the list is the same: the list, its rows without those that
 * are held back, and how many these are
 */
export const liveListOf = <T extends Row, Of>(
  rulesOf: (of: Of) => ListRules<T>,
  nameOf: (of: Of) => string,
) => {
  /** By the API of the visit, so that nothing is kept for the next. */
  const kept = new WeakMap<Api, ReadonlyMap<string, LiveList<T>>>()
  return (of: Of) => {
    const { api, live } = useConsole()
    const list = useMemo(() => {
      const lists = kept.get(api) ?? new Map<string, LiveList<T>>()
      const name = nameOf(of)
      const found = lists.get(name) ?? new LiveList({ api, live }, rulesOf(of))
      const others = [...lists].filter(([other]) => other !== name)
      kept.set(api, new Map([...others, [name, found] as const].slice(-KEPT)))
      return found
    }, [api, live, of])
    useEffect(() => list.start(), [list])
    const state = useStore(list.state)
    const unseen = heldBack(state)
    const rows = useMemo(() => state.rows.slice(unseen), [state.rows, unseen])
    return { list, state, rows, unseen }
  }
}
