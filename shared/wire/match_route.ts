// Which pattern an address belongs to. `:name` stands for one segment.
export type Params = Readonly<Record<string, string>>

/** The first pattern that fits. */
export const matchRoute = <Pattern extends string>(
  patterns: readonly Pattern[],
  pathname: string,
): { readonly route: Pattern; readonly params: Params } | null => {
  const given = segments(pathname)
  for (const route of patterns) {
    const wanted = segments(route)
    if (wanted.length !== given.length) continue
    const params: Record<string, string> = {}
    const fits = wanted.every((part, index) => {
      const value = given[index] ?? ''
      if (!part.startsWith(':')) return part === value
      params[part.slice(1)] = decoded(value)
      return true
    })
    if (fits) return { route, params }
  }
  return null
}

const segments = (path: string): string[] => path.split('/').filter((part) => part !== '')

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
