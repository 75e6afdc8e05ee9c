// What a row of the chain says besides its beacon: height, interval, items, and how far its block has come.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { Proofs } from './block_prover.ts'

export type RowFacts = {
  readonly height: number | null
  /** Milliseconds since the beacon before. Null when that one is not in the list. */
  readonly intervalMs: number | null
  readonly items: number | null
  /** `finalized`, or `committed` with its chains. Null while nothing was read of it. */
  readonly state: 'finalized' | 'committed' | null
  readonly chains: string
}

/** Which chains carry the block of this id, such as `bitcoin mainnet`. Empty for none. */
export type ChainsOf = (id: string) => string

export const factsOf = (
  rows: readonly Beacon[],
  index: number,
  proofs: Proofs,
  chainsOf: ChainsOf,
): RowFacts => {
  const row = rows[index]
  if (row === undefined) return { height: null, intervalMs: null, items: null, state: null, chains: '' }
  const older = rows[index + 1]
  const block = proofs.get(row.id)?.block ?? null
  const chains = chainsOf(row.id)
  return {
    height: block?.height ?? heightFrom(rows, index, proofs),
    intervalMs: older === undefined ? null : Date.parse(row.timestamp) - Date.parse(older.timestamp),
    items: block?.itemCount ?? null,
    state: chains !== '' || block?.state === 'committed' ? 'committed' : block === null ? null : 'finalized',
    chains,
  }
}

/** Rows to look for a block whose height is known. */
const NEAR = 64

/** Counted from the next older block that was read, as long as every link up to there holds. */
const heightFrom = (rows: readonly Beacon[], index: number, proofs: Proofs): number | null => {
  for (let at = index; at < Math.min(rows.length - 1, index + NEAR); at += 1) {
    const older = rows[at + 1]
    if (older === undefined || rows[at]?.previous_hash !== older.hash) return null
    const height = proofs.get(older.id)?.block?.height
    if (height !== undefined) return height + at + 1 - index
  }
  return null
}
