// Finds out whether a document nests too deep for the recursive parser. It scans the text before parsing. GraphQL
// October 2021, 2.1 (source text, comments) and 2.9.4 (strings).

/** Ignores brackets in strings, block strings and comments. The parser reports an unclosed one. */
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

/** Returns the position of the character that ends the line. The next two do the same for a string and a block string. */
function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1
  return at
}

/** Stops at the end of the line when the string is unclosed. The parser reports it and reads no further. */
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
