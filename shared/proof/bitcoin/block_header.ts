// The 80 bytes at the head of a Bitcoin block.
import { concatBytes } from '../bytes.ts'
import { BitcoinCursor, displayHash, doubleSha256, u32LittleEndian } from './bitcoin_bytes.ts'

export const HEADER_BYTES = 80

export type BlockHeader = Readonly<ReturnType<typeof readHeader>>

/** @throws RangeError unless there are exactly 80 bytes */
export function readHeader(bytes: Uint8Array) {
  if (bytes.length !== HEADER_BYTES) throw new RangeError(`a block header has ${HEADER_BYTES} bytes`)
  const cursor = new BitcoinCursor(bytes)
  return {
    version: cursor.u32(),
    /** Internal order, as the root. */
    previousBlock: cursor.take(32),
    merkleRoot: cursor.take(32),
    /** Unix seconds. */
    time: cursor.u32(),
    /** The target in its compact form. */
    bits: cursor.u32(),
    nonce: cursor.u32(),
  }
}

export function writeHeader(header: BlockHeader): Uint8Array {
  return concatBytes(
    u32LittleEndian(header.version),
    header.previousBlock,
    header.merkleRoot,
    u32LittleEndian(header.time),
    u32LittleEndian(header.bits),
    u32LittleEndian(header.nonce),
  )
}

/** The block hash: 64 hex, display order. */
export function headerHash(header: Uint8Array): string {
  return displayHash(doubleSha256(header))
}

/** Returns whether the hash, read as a little-endian number, is at most the target that `bits` encodes. */
export const meetsTarget = (hash: Uint8Array, bits: number): boolean =>
  BigInt(`0x${displayHash(hash)}`) <= targetOf(bits)

/** A target with the sign bit is negative in Bitcoin, so no hash meets it. */
const targetOf = (bits: number): bigint =>
  (bits & 0x80_0000) !== 0 ? -1n : BigInt(bits & 0x7f_ffff) << BigInt(8 * ((bits >>> 24) - 3))

/**
 * Whether the hash of the header meets its own target, and that target is not easier than the network allows. So a header
 * of a development chain, which anybody makes in a moment, does not pass for one of mainnet. A network that is not known
 * here is held to the easiest of all.
 */
export function hasWorkOf(network: unknown, header: Uint8Array): boolean {
  const { bits } = readHeader(header)
  return meetsTarget(doubleSha256(header), bits) && targetOf(bits) <= targetOf(easiestOf(network))
}

/**
 * Whether the target is easier than every public network allows, so that the header is one of a development chain,
 * whatever network is named beside it.
 */
export const isOfDevelopmentChain = ({ bits }: BlockHeader): boolean =>
  targetOf(bits) > targetOf(EASIEST_BITS.testnet)

/** `testnet` stands for testnet3, testnet4 and signet alike. Signet is the easiest of them; the others have 1d00ffff. */
const EASIEST_BITS = { mainnet: 0x1d00_ffff, testnet: 0x1e03_77ae, regtest: 0x207f_ffff } as const

const easiestOf = (network: unknown): number =>
  network === 'mainnet' || network === 'testnet' ? EASIEST_BITS[network] : EASIEST_BITS.regtest
