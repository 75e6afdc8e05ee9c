// Which addresses a pattern names. `:name` stands for one segment, any other segment for itself.

/** With a group for each name. Slashes at the end and twice in a row do not count. */
export const routePattern = (pattern: string): RegExp => {
  const segments = pattern.split('/').filter((part) => part !== '')
  const wanted = segments.map((part) => (part.startsWith(':') ? `/+(?<${part.slice(1)}>[^/]+)` : `/+${part}`))
  return new RegExp(`^${wanted.join('')}/*$`)
}
