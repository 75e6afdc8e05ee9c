// A list of participants: one on each line, in one spelling, with its SHA-256.
import { toHex, utf8 } from '../../../shared/proof/bytes.ts'
import { sha256 } from '../../../shared/proof/domain_hash.ts'

export const LIST_CEILINGS = { bytes: 4 * 1024 * 1024, lines: 100_000 } as const

export type Participants = {
  readonly names: readonly string[]
  /** The list in its one spelling: every line without spaces around it, and with a line feed at its end. */
  readonly text: string
  /** SHA-256 of that text in UTF-8, as 64 hex digits. */
  readonly hash: string
  /** How many lines are the same as a line before. */
  readonly repeated: number
}

/** Spaces, tabs and carriage returns around a line do not count. Empty lines do not count. */
export const readParticipants = (pasted: string): Participants | { readonly problem: string } => {
  const names = pasted
    .toWellFormed()
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.replace(/^[ \t\r]+|[ \t\r]+$/g, ''))
    .filter((line) => line !== '')
  if (names.length === 0) return { problem: 'The list has no lines yet.' }
  if (names.length > LIST_CEILINGS.lines)
    return { problem: `The list has ${names.length} lines; at most ${LIST_CEILINGS.lines} can take part.` }
  const text = names.map((name) => `${name}\n`).join('')
  const bytes = utf8(text)
  if (bytes.length > LIST_CEILINGS.bytes) return { problem: 'The list is larger than 4 MiB.' }
  return { names, text, hash: toHex(sha256(bytes)), repeated: names.length - new Set(names).size }
}
