// Absolute links from the configured base address; brackets percent-encoded, parameters in order of name.

/** `parameters` that are undefined are left out. */
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

/** All parameters of the request but the paging position, with the limit that was really used. */
export function pageParameters(query: URLSearchParams, limit: number): [string, string][] {
  const kept = [...query].filter(([name]) => !POSITIONS.has(name))
  return [...kept, ['page[limit]', String(limit)]]
}

const POSITIONS: ReadonlySet<string> = new Set(['page[after]', 'page[before]', 'page[offset]', 'page[limit]'])
