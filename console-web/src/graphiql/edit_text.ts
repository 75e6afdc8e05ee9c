// What a key does to a text beyond the obvious: brackets come in pairs, a new line keeps its indent.
export type Edit = {
  /** Replaces this part of the text. */
  readonly from: number
  readonly to: number
  readonly insert: string
  /** Where the selection is afterwards. */
  readonly caret: number
}

const PAIRS: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }
const CLOSERS: ReadonlySet<string> = new Set(Object.values(PAIRS))

/** Null: the browser does what it always does. */
export const editFor = (key: string, text: string, from: number, to: number): Edit | null => {
  const before = text.slice(0, from)
  const next = text.charAt(to)
  const closer = PAIRS[key]
  if (closer !== undefined && from === to && /^[\s)\]}]?$/.test(next))
    return { from, to, insert: key + closer, caret: from + 1 }
  if (CLOSERS.has(key) && from === to && next === key && PAIRS[lastCharacter(before)] === key)
    return { from, to: to + 1, insert: key, caret: from + 1 }
  if (key === 'Backspace' && from === to && next !== '' && PAIRS[lastCharacter(before)] === next)
    return { from: from - 1, to: to + 1, insert: '', caret: from - 1 }
  if (key === 'Enter') return newLine(before, next, from, to)
  return null
}

const newLine = (before: string, next: string, from: number, to: number): Edit => {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const indent = /^\s*/.exec(line)?.[0] ?? ''
  const opened = PAIRS[lastCharacter(line.trimEnd())]
  const inner = opened === undefined ? `\n${indent}` : `\n${indent}  `
  const insert = opened !== undefined && next === opened ? `${inner}\n${indent}` : inner
  return { from, to, insert, caret: from + inner.length }
}

const lastCharacter = (text: string): string => text.slice(-1)
