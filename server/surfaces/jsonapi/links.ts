// Builds absolute links from the configured base address. Brackets are percent-encoded;
// parameters are sorted by name.

/** Parameters with the value undefined are left out. */
export function linkTo(
  base: string,
  path: string,
  parameters: Iterable<readonly [string, string]> = [],
): string {
  const pairs = [...parameters].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const query = pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return `${base}${path}${query === '' ? '' : `?${query}`}`
}

/** The request's parameters without the page position, plus the limit that was actually used. */
export function pageParameters(query: URLSearchParams, limit: number): [string, string][] {
  const kept = [...query].filter(([name]) => !POSITIONS.has(name))
  return [...kept, ['page[limit]', String(limit)]]
}

const POSITIONS: ReadonlySet<string> = new Set(['page[after]', 'page[before]', 'page[offset]', 'page[limit]'])
