// The work in a block header: a hash that is below the target.
import { type BlockHeader, writeHeader } from '../../shared/proof/bitcoin/block_header.ts'
import { displayHash, doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'

/** Counts the nonce up until the work is done: two tries on average at regtest's target. */
export function findNonce(header: Omit<BlockHeader, 'nonce'>): { header: Uint8Array; hash: Uint8Array } {
  for (let nonce = 0; nonce <= 0xffff_ffff; nonce++) {
    const bytes = writeHeader({ ...header, nonce })
    const hash = doubleSha256(bytes)
    if (meetsTarget(hash, header.bits)) return { header: bytes, hash }
  }
  throw new Error('No nonce meets the target.')
}

/** Whether the hash, read as a little-endian number, is at most the target that `bits` stands for. */
export const meetsTarget = (hash: Uint8Array, bits: number): boolean =>
  BigInt(`0x${displayHash(hash)}`) <= targetOf(bits)

const targetOf = (bits: number): bigint => BigInt(bits & 0x7f_ffff) << BigInt(8 * ((bits >>> 24) - 3))

/** Hashes the chain up to this height stands for, 64 hex; at regtest's target every block takes two. */
export const chainWork = (height: number): string => (2 * (height + 1)).toString(16).padStart(64, '0')

/** How much harder than the easiest target of mainnet. */
export const difficultyOf = (bits: number): number => Number(0xffffn << 208n) / Number(targetOf(bits))
