// Which code lies in one file: what the first page of somebody who is signed in always needs together, its monitor, which comes
// after that, and what the front door needs too. Each file of its own costs a request, and compresses worse.
import { join } from 'node:path'

type Graph = {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null
}

const source = (name: string): string => join(import.meta.dirname, 'src', name)

/**
 * Parts of TanStack Query that its one entry imports, and that no first page uses. They lie where they are used.
 */
const NOT_AT_FIRST =
  /@tanstack\/(query-core|react-query)\/.*\/(mutationObserver|useMutation|infiniteQueryObserver|useInfiniteQuery)\.js$/

/** All modules that a module imports, and those that they import, without what is loaded later. */
const importedFrom = (start: string, graph: Graph): ReadonlySet<string> => {
  const found = new Set([start])
  // Entries added during the loop are visited too.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

/**
 * The groups, each of which also takes what its modules import, unless an earlier group has it. All other code lies where
 * the bundler puts it.
 */
export const chunkGroups = () => {
  const known = new Map<string, ReadonlySet<string>>()
  const needs = (start: string, id: string, graph: Graph): boolean => {
    const found = known.get(start) ?? importedFrom(source(start), graph)
    known.set(start, found)
    return found.has(id) && !NOT_AT_FIRST.test(id)
  }
  const first = (id: string, graph: Graph): boolean =>
    needs('inside.tsx', id, graph) || needs('pages/now_page.tsx', id, graph)
  const monitor = (id: string, graph: Graph): boolean => needs('monitor/monitor.tsx', id, graph)
  const group = (name: string, priority: number, holds: (id: string, graph: Graph) => boolean) => ({
    priority,
    // The bundler warns about a group without it, because it cannot know the name that a function gives.
    debugName: name,
    name: (id: string, graph: Graph) => (holds(id, graph) ? name : null),
  })
  return [
    group(
      'main',
      3,
      (id, graph) =>
        needs('main.tsx', id, graph) ||
        ((first(id, graph) || monitor(id, graph)) &&
          (needs('doorway.tsx', id, graph) || needs('log/log_line.tsx', id, graph))),
    ),
    group('first', 2, first),
    group('monitor', 1, monitor),
  ]
}
