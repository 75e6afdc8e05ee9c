// JSON on lines of its own, with every value as it came: numbers and repeated names are not read and written anew.

/** Deeper levels stand below one another, so that a few bytes cannot become a text of megabytes. */
const DEEPEST = 20

/** `json` must be valid. */
export const indentedJson = (json: string): string => {
  let depth = 0
  const line = (): string => `\n${'  '.repeat(Math.min(depth, DEEPEST))}`
  return json.replace(PARTS, (part) => {
    if (part === '{' || part === '[') {
      depth += 1
      return part + line()
    }
    if (part === '}' || part === ']') {
      depth -= 1
      return line() + part
    }
    if (part === ',') return part + line()
    if (part === ':') return ': '
    return part.startsWith('"') ? part : part.replace(/\s/g, '')
  })
}

/** Strings, empty lists and objects, signs, and the space between. */
const PARTS = /"(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[\]{},:]|\s+/g
