// Compares two checkpoints of one log: does one continue the other, or has the log shown two histories?
import { bytesEqual } from '../proof/bytes.ts'
import type { TreeHead } from './checkpoint.ts'
import { verifyConsistency } from './consistency_proof.ts'

/**
 * `same`, `grown`, `older`: one history, and `older` is a checkpoint from before the one that was seen. `split`: two
 * histories. `open`: the log gave no proof, so nothing is known.
 */
export type Comparison = 'same' | 'grown' | 'older' | 'split' | 'open'

/** The hashes between two sizes, the smaller one first. Undefined when the log does not answer it. */
export type AskConsistency = (oldSize: number, newSize: number) => Promise<Uint8Array[] | undefined>

/** Both must bear the signature of the log's key: otherwise they say nothing about the log. */
export async function compareCheckpoints(
  seen: TreeHead,
  now: TreeHead,
  ask: AskConsistency,
): Promise<Comparison> {
  if (seen.size === now.size) return bytesEqual(seen.root, now.root) ? 'same' : 'split'
  const [older, newer] = seen.size < now.size ? [seen, now] : [now, seen]
  const proof = await ask(older.size, newer.size)
  if (proof === undefined) return 'open'
  const holds = verifyConsistency({
    oldSize: older.size,
    oldRoot: older.root,
    newSize: newer.size,
    newRoot: newer.root,
    proof,
  })
  if (!holds) return 'split'
  return older === seen ? 'grown' : 'older'
}
