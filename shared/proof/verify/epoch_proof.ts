// The check of the path from a block to the root of an epoch.
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import { hexBytes, sameBytes } from './carried_values.ts'
import { walked } from './derived_hashes.ts'
import { type Finding, fail, pass } from './report.ts'

export function epochFinding(blockHash: Uint8Array | undefined, entry: ReadEntry): Finding {
  const { chain } = entry
  if (blockHash === undefined) return fail(`Without a block hash nothing leads to the ${chain} epoch root.`)
  const reached = walked(blockHash, entry.epochProof)
  if (reached === undefined) return fail(`The path to the ${chain} epoch root is malformed.`)
  return sameBytes(reached, hexBytes(entry.epochMerkleRoot, 32))
    ? pass(`The path leads from the block hash to the ${chain} epoch root.`)
    : fail(`The path does not lead from the block hash to the ${chain} epoch root.`)
}
