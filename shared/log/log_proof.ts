// Proofs that a log has an entry, as one text (C2SP tlog-proof): index, path, signed checkpoint.
import { fromBase64, toBase64 } from '../proof/bytes.ts'
import { readDecimal, readHashLines, writeHashLines } from './note_lines.ts'
import { NOTE_CEILINGS } from './signed_note.ts'

interface LogProof {
  /** The number of the leaf, from 0. */
  readonly index: number
  /** The path of RFC 9162 section 2.1.3, from the leaf's sibling up. */
  readonly hashes: readonly Uint8Array[]
  /** The note of the checkpoint as the log showed it. */
  readonly checkpoint: string
  /** Data of an application. Nothing vouches for it. */
  readonly extra?: Uint8Array
}

export function writeLogProof({ index, hashes, checkpoint, extra }: LogProof): string {
  const extraLine = extra === undefined ? '' : `extra ${toBase64(extra)}\n`
  return `${FIRST_LINE}\n${extraLine}index ${index}\n${writeHashLines(hashes)}\n${checkpoint}`
}

/**
 * The parts of a proof. Nothing is verified; `checkpoint` may be any text.
 * @throws RangeError on any other text, and above the ceilings
 */
export function readLogProof(text: string): LogProof {
  if (text.length > MOST_CHARACTERS) throw new RangeError('a log proof is too long')
  const split = text.indexOf('\n\n')
  if (split < 0) throw new RangeError('a log proof has no empty line before its checkpoint')
  const [first, ...lines] = text.slice(0, split).split('\n')
  if (first !== FIRST_LINE) throw new RangeError('not a log proof')
  const extra = lines[0]?.startsWith('extra ') ? lines.shift() : undefined
  const index = lines.shift()
  if (index === undefined || !index.startsWith('index ')) throw new RangeError('a log proof has no index')
  return {
    index: readDecimal(index.slice('index '.length)),
    hashes: readHashLines(lines),
    checkpoint: text.slice(split + 2),
    ...(extra === undefined ? {} : { extra: fromBase64(extra.slice('extra '.length)) }),
  }
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1'

/** Of the whole text: a note, 63 hashes, and as much of other data as a note may have. */
const MOST_CHARACTERS = 2 * NOTE_CEILINGS.bytes + 64 * 64
