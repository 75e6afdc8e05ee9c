// Checks lengths of text in code points. Reads the text no further than the bound.

/** Most texts need only their `length`, because a code point is one or two UTF-16 code units. */
export function hasAtMost(text: string, most: number): boolean {
  if (text.length <= most) return true
  return text.length <= 2 * most && codePointsUpTo(text, most + 1) <= most
}

export function hasAtLeast(text: string, least: number): boolean {
  if (text.length < least) return false
  return text.length >= 2 * least || codePointsUpTo(text, least) >= least
}

function codePointsUpTo(text: string, enough: number): number {
  let count = 0
  for (const _ of text) {
    count += 1
    if (count >= enough) break
  }
  return count
}
