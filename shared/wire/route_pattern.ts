// Patterns of addresses. `:name` matches one segment; any other segment matches itself.

/** The expression has a group for each name. Ignores slashes at the end and doubled slashes. */
export const routePattern = (pattern: string): RegExp => {
  const segments = pattern.split('/').filter((part) => part !== '')
  const wanted = segments.map((part) => (part.startsWith(':') ? `/+(?<${part.slice(1)}>[^/]+)` : `/+${part}`))
  return new RegExp(`^${wanted.join('')}/*$`)
}
