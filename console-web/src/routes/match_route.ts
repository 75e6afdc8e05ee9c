// Which row of a route table an address belongs to. `:name` stands for one segment.
export type Params = Readonly<Record<string, string>>

export const matchRoute = <Row extends { readonly path: string }>(
  rows: readonly Row[],
  pathname: string,
): { row: Row; params: Params } | null => {
  const given = segments(pathname)
  for (const row of rows) {
    const wanted = segments(row.path)
    if (wanted.length !== given.length) continue
    const params: Record<string, string> = {}
    const fits = wanted.every((part, index) => {
      const value = given[index] ?? ''
      if (!part.startsWith(':')) return part === value
      params[part.slice(1)] = decoded(value)
      return true
    })
    if (fits) return { row, params }
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
