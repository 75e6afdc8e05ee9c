// Checkpoints (C2SP tlog-checkpoint): what the text of a note says about a tree at one size.
import { toBase64, utf8 } from '../proof/bytes.ts'
import { isSignedBy, readDecimal, readHash, readNote } from './signed_note.ts'
import { MOST_NAME_BYTES, type VerifierKey } from './verifier_key.ts'

export interface TreeHead {
  /** The identity of the log. */
  readonly origin: string
  /** The number of leaves, a safe integer. */
  readonly size: number
  /** 32 bytes. */
  readonly root: Uint8Array
}

/** The text to sign. It ends in a newline and has no extension lines. */
export function writeCheckpoint({ origin, size, root }: TreeHead): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/**
 * What a text says. Extension lines are allowed and mean nothing.
 * @throws RangeError on any other text
 */
export function readCheckpoint(text: string): TreeHead {
  const [origin = '', size = '', root = '', ...more] = text.split('\n')
  // The piece behind the last newline is empty. So every other piece is a line, and no line is empty.
  if (more.pop() !== '' || origin === '' || more.includes(''))
    throw new RangeError('not the text of a checkpoint')
  if (utf8(origin).length > MOST_NAME_BYTES) throw new RangeError('the origin of a checkpoint is too long')
  return { origin, size: readDecimal(size), root: readHash(root) }
}

/** A note whose text is a checkpoint, and what it says. */
export type SignedCheckpoint = Readonly<ReturnType<typeof readSignedCheckpoint>>

/**
 * The parts of a note and what it says. Nothing is verified.
 * @throws RangeError on any other bytes
 */
export function readSignedCheckpoint(bytes: Uint8Array) {
  const note = readNote(bytes)
  return { ...readCheckpoint(note.text), note }
}

/**
 * The checkpoint of a note that the log has signed. The key's name is the origin.
 * @throws RangeError on any other bytes, on another origin, and without a valid signature of the log
 */
export function openCheckpoint(bytes: Uint8Array, logKey: VerifierKey): SignedCheckpoint {
  const checkpoint = readSignedCheckpoint(bytes)
  if (checkpoint.origin !== logKey.name) throw new RangeError('the checkpoint is of another log')
  if (!isSignedBy(checkpoint.note, logKey))
    throw new RangeError('the checkpoint has no valid signature of its log')
  return checkpoint
}
