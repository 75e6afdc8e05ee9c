// A list of participants: one on each line, in one spelling, with its SHA-256.
import { toHex, utf8 } from '../../../shared/proof/bytes.ts'
import { sha256 } from '../../../shared/proof/domain_hash.ts'

const MOST_BYTES = 4 * 1024 * 1024

export type Participants = {
  readonly names: readonly string[]
  /** The list in its one spelling: every line without spaces around it, and with a line feed at its end. */
  readonly text: string
  /** SHA-256 of that text in UTF-8, as 64 hex digits. */
  readonly hash: string
  /** How many lines are the same as a line before. */
  readonly repeated: number
}

export type Refused = { readonly problem: string }

/** Each line that is not empty, without the spaces, tabs and carriage returns around it. */
const LINES = /[^ \t\r\n]([^\n]*[^ \t\r\n])?/g

/** @param wanted SHA-256 of the list that the draw is from. Null when any list may be given. */
export const readParticipants = (pasted: string, wanted: string | null): Participants | Refused => {
  if (pasted.length > MOST_BYTES) return TOO_LARGE
  const names =
    pasted
      .toWellFormed()
      .replace(/^\uFEFF/, '')
      .match(LINES) ?? []
  if (names.length === 0) return wanted === null ? { problem: 'The list has no lines yet.' } : NOT_GIVEN
  if (names.length > 100_000) return { problem: 'The list has more than 100,000 lines.' }
  const text = names.map((name) => `${name}\n`).join('')
  const bytes = utf8(text)
  if (bytes.length > MOST_BYTES) return TOO_LARGE
  const hash = toHex(sha256(bytes))
  if (wanted !== null && hash !== wanted) return ANOTHER
  return { names, text, hash, repeated: names.length - new Set(names).size }
}

const TOO_LARGE = { problem: 'The list is larger than 4 MiB.' }
const NOT_GIVEN = {
  problem: 'This address has only the SHA-256 of a list. Give the list, and it is compared.',
}
const ANOTHER = { problem: 'This is not the list of this draw: its SHA-256 is another one.' }
