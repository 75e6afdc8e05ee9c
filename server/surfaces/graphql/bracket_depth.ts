// Whether a document nests deeper than a parser that calls itself should follow: a look at its text, before it is parsed.
// GraphQL October 2021, 2.1 (source text, comments) and 2.9.4 (strings).

/** Brackets in strings, block strings and comments are text. What is not closed is told by the parser. */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1)
    switch (text.charCodeAt(at)) {
      case HASH:
        at = lineEnd(text, at)
        break
      case QUOTE:
        at = text.startsWith(BLOCK, at) ? blockEnd(text, at + BLOCK.length) : stringEnd(text, at + 1)
        break
      case OPENING.brace:
      case OPENING.bracket:
      case OPENING.paren:
        depth += 1
        if (depth > most) return true
        break
      case CLOSING.brace:
      case CLOSING.bracket:
      case CLOSING.paren:
        depth -= 1
        break
    }
  return false
}

const HASH = 0x23
const QUOTE = 0x22
const BACKSLASH = 0x5c
const BLOCK = '"""'
const OPENING = { brace: 0x7b, bracket: 0x5b, paren: 0x28 } as const
const CLOSING = { brace: 0x7d, bracket: 0x5d, paren: 0x29 } as const

const isLineEnd = (code: number): boolean => code === 0x0a || code === 0x0d

/** Each answers the last place that belongs to it. */
function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1
  return at
}

/** One that the line ends before it does is the parser's to tell, and the end of what it reads. */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || isLineEnd(code)) return at
    if (code === BACKSLASH) at += 1
  }
  return text.length
}

function blockEnd(text: string, from: number): number {
  let at = text.indexOf(BLOCK, from)
  while (at !== -1 && text.charCodeAt(at - 1) === BACKSLASH) at = text.indexOf(BLOCK, at + BLOCK.length)
  return at === -1 ? text.length : at + BLOCK.length - 1
}
