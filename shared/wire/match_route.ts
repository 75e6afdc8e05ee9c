// Which pattern an address belongs to. `:name` stands for one segment, any other segment for itself.

/** What `pattern` names, with a group for each of its names; slashes at the end and twice in a row do not count. */
export const routePattern = (pattern: string): RegExp => {
  const segments = pattern.split('/').filter((part) => part !== '')
  const wanted = segments.map((part) => (part.startsWith(':') ? `/+(?<${part.slice(1)}>[^/]+)` : `/+${part}`))
  return new RegExp(`^${wanted.join('')}/*$`)
}

/** The first pattern that fits. */
export const matchRoute = <Pattern extends string>(
  patterns: readonly Pattern[],
  pathname: string,
): Pattern | null => patterns.find((pattern) => routePattern(pattern).test(pathname)) ?? null
