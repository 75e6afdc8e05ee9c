// Proof of work: finds block headers whose hash is below the target.
import {
  type BlockHeader,
  meetsTarget,
  targetOf,
  writeHeader,
} from '../../shared/proof/bitcoin/block_header.ts'
import { doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'

/** Tries nonces from 0 up until one meets the target. At regtest's target this takes two tries on average. */
export function findNonce(header: Omit<BlockHeader, 'nonce'>): { header: Uint8Array; hash: Uint8Array } {
  for (let nonce = 0; nonce <= 0xffff_ffff; nonce++) {
    const bytes = writeHeader({ ...header, nonce })
    const hash = doubleSha256(bytes)
    if (meetsTarget(hash, header.bits)) return { header: bytes, hash }
  }
  throw new Error('No nonce meets the target.')
}

/**
 * The expected number of hashes for a chain of this height, as 64 hex digits. At regtest's target each block takes
 * two.
 */
export const chainWork = (height: number): string => (2 * (height + 1)).toString(16).padStart(64, '0')

/** The ratio of mainnet's easiest target to this target. */
export const difficultyOf = (bits: number): number => Number(0xffffn << 208n) / Number(targetOf(bits))
