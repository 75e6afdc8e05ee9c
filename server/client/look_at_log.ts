// One look of a monitor at a log: its checkpoint, and the proof that it continues the one that was seen before.
import { COPY_CEILINGS, readTileFile } from '../../shared/audit/copy_reader.ts'
import { Complaint } from '../../shared/cli/terminal.ts'
import { readSignedCheckpoint, type SignedCheckpoint } from '../../shared/log/checkpoint.ts'
import { POLICY_CEILINGS, readPolicy } from '../../shared/log/log_policy.ts'
import { isSignedBy, MOST_PROOF_HASHES, readHashLines } from '../../shared/log/signed_note.ts'
import type { TileReader } from '../../shared/log/tiles.ts'
import { type Comparison, compareCheckpoints, consistencyProof } from '../../shared/log/tree_proofs.ts'
import type { VerifierKey } from '../../shared/log/verifier_key.ts'
import type { LogFiles } from './log_files.ts'

/** What the log showed is not what a log shows. A later look may find better. */
export class StrangeAnswer extends Complaint {}

/** @throws StrangeAnswer when there is none */
export async function shownCheckpoint(
  read: LogFiles['read'],
): Promise<{ text: string; checkpoint: SignedCheckpoint }> {
  const bytes = await read('checkpoint', COPY_CEILINGS.checkpoint)
  if (bytes === undefined) throw new StrangeAnswer('The log shows no checkpoint.')
  return strict('The log shows no checkpoint', () => ({
    text: new TextDecoder().decode(bytes),
    checkpoint: readSignedCheckpoint(bytes),
  }))
}

/** The key that the log itself names for an origin, in its policy. */
export async function namedKey(read: LogFiles['read'], origin: string): Promise<VerifierKey | undefined> {
  const bytes = await read('policy', POLICY_CEILINGS.bytes)
  if (bytes === undefined) return undefined
  return strict('The policy of the log cannot be read', () =>
    readPolicy(bytes)
      .logs.map(({ key }) => key)
      .find(({ name }) => name === origin),
  )
}

/** Both checkpoints must be signed by the key. @throws StrangeAnswer when the new one is not */
export async function compared(
  read: LogFiles['read'],
  key: VerifierKey,
  { seen, now }: { readonly seen: SignedCheckpoint; readonly now: SignedCheckpoint },
): Promise<Comparison> {
  if (!isSignedBy(now.note, key))
    throw new StrangeAnswer(`The checkpoint has no valid signature of ${key.name}.`)
  const byTiles = (oldSize: number, newSize: number) => tileProof(read, oldSize, newSize)
  const found = await compareCheckpoints(
    seen,
    now,
    async (oldSize, newSize) => (await givenProof(read, oldSize, newSize)) ?? byTiles(oldSize, newSize),
  )
  if (found !== 'split' || seen.size === now.size) return found
  // A proof may be spoiled on its way. Tiles that prove it are as good.
  const again = await compareCheckpoints(seen, now, byTiles)
  return again === 'open' ? found : again
}

const PROOF_BYTES = 45 * MOST_PROOF_HASHES

/** A plain copy of a log gives none. */
async function givenProof(
  read: LogFiles['read'],
  oldSize: number,
  newSize: number,
): Promise<Uint8Array[] | undefined> {
  const bytes = await read(`consistency/${oldSize}/${newSize}`, PROOF_BYTES)
  if (bytes === undefined) return undefined
  return strict('The consistency proof cannot be read', () =>
    readHashLines(new TextDecoder().decode(bytes).split('\n').slice(0, -1)),
  )
}

/** The same proof, made of tiles. Undefined when the log has too few of them. */
async function tileProof(
  read: LogFiles['read'],
  oldSize: number,
  newSize: number,
): Promise<Uint8Array[] | undefined> {
  let isMissing = false
  const tiles: TileReader = (places) =>
    Promise.all(
      places.map(async (place) => {
        const { bytes } = await readTileFile(read, place)
        if (bytes === undefined) isMissing = true
        return bytes ?? new Uint8Array()
      }),
    )
  try {
    return await consistencyProof(tiles, oldSize, newSize)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    if (isMissing) return undefined
    throw new StrangeAnswer(`The tiles of the log cannot be read: ${error.message}.`)
  }
}

function strict<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new StrangeAnswer(`${what}: ${error.message}.`)
    throw error
  }
}
