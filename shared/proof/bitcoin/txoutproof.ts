// A proof that a transaction is in a Bitcoin block, in the format of `gettxoutproof`: a header and a part of
// the block's tree.
import { bytesEqual, concatBytes, readOrUndefined } from '../bytes.ts'
import type { PathStep } from '../merkle.ts'
import { BitcoinCursor, compactSize, doubleSha256, u32LittleEndian } from './bitcoin_bytes.ts'
import { HEADER_BYTES, readHeader } from './block_header.ts'

export type Txoutproof = Readonly<ReturnType<typeof readTxoutproof>>

/**
 * A tree that does not add up is reported by `isValid`. Time is linear in the number of bytes, whatever
 * number of transactions they declare.
 * @throws RangeError when the bytes cannot be parsed
 */
export function readTxoutproof(bytes: Uint8Array) {
  const cursor = new BitcoinCursor(bytes)
  const header = cursor.take(HEADER_BYTES)
  const transactions = cursor.u32()
  const hashes = new BitcoinCursor(cursor.take(32 * cursor.compactSize()))
  const flags = cursor.sized()
  if (!cursor.atEnd) throw new RangeError('bytes behind the proof')
  const fields = readHeader(header)
  const found = matchedLeaves({ transactions, hashes, flags, merkleRoot: fields.merkleRoot })
  return {
    /** 80 bytes, and what they say. */
    ...{ header, fields },
    /**
     * True when the tree uses all given hashes and flags, has no equal siblings, and leads to the header's
     * root.
     */
    isValid: found !== undefined,
    /** The transactions that the proof covers, in internal order. Empty when the proof is not valid. */
    matched: found?.matched ?? [],
    /** From the first of these transactions to the header's root, the nearest sibling first. Not valid: empty. */
    path: found?.path ?? [],
  }
}

/**
 * The Merkle root over a block's transactions, all in internal order. A level with an odd number of nodes
 * doubles its last node.
 */
export function bitcoinMerkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const levels = levelsOver(leaves)
  return nodeAt(levels, levels.length - 1, 0)
}

/**
 * The proof for leaf number `wanted`. `leaves` are all transactions of the block in internal order, `header`
 * is 80 bytes.
 */
export function writeTxoutproof(
  leaves: readonly Uint8Array[],
  wanted: number,
  header: Uint8Array,
): Uint8Array {
  if (leaves[wanted] === undefined) throw new RangeError(`no transaction ${wanted}`)
  if (header.length !== HEADER_BYTES) throw new RangeError(`a block header has ${HEADER_BYTES} bytes`)
  const levels = levelsOver(leaves)
  const hashes: Uint8Array[] = []
  const flags: boolean[] = []
  const visit = (height: number, position: number): void => {
    const leadsToWanted = Math.floor(wanted / 2 ** height) === position
    flags.push(leadsToWanted)
    if (height === 0 || !leadsToWanted) {
      hashes.push(nodeAt(levels, height, position))
      return
    }
    visit(height - 1, 2 * position)
    if (2 * position + 1 < (levels[height - 1]?.length ?? 0)) visit(height - 1, 2 * position + 1)
  }
  visit(levels.length - 1, 0)
  const flagBytes = packed(flags)
  return concatBytes(
    header,
    u32LittleEndian(leaves.length),
    compactSize(hashes.length),
    ...hashes,
    compactSize(flagBytes.length),
    flagBytes,
  )
}

interface PartialTree {
  /** The number in the whole block, as the proof declares it. */
  readonly transactions: number
  readonly hashes: BitcoinCursor
  readonly flags: Uint8Array
  readonly merkleRoot: Uint8Array
}

/** Each visit uses up one flag, so there are at most as many visits as the proof has flag bits. */
function matchedLeaves({ transactions, hashes, flags, merkleRoot }: PartialTree) {
  if (transactions === 0) return undefined
  const matched: Uint8Array[] = []
  const path: PathStep[] = []
  let flagsUsed = 0
  const visit = (height: number, position: number): Uint8Array => {
    const byte = flags[flagsUsed >> 3]
    if (byte === undefined) throw new RangeError('too few flags')
    const flag = (byte >> (flagsUsed++ & 7)) & 1
    if (height === 0 || flag === 0) {
      const hash = hashes.take(32)
      if (height === 0 && flag === 1) matched.push(hash)
      return hash
    }
    const before = matched.length
    const left = visit(height - 1, 2 * position)
    const isFirstLeft = before === 0 && matched.length > 0
    if (2 * position + 1 >= widthAt(transactions, height - 1)) {
      if (isFirstLeft) path.push({ side: 'right', hash: left })
      return doubleSha256(concatBytes(left, left))
    }
    const right = visit(height - 1, 2 * position + 1)
    if (isFirstLeft) path.push({ side: 'right', hash: right })
    else if (before === 0 && matched.length > 0) path.push({ side: 'left', hash: left })
    // Refused, because equal children could be a doubled node, and the tree could then claim leaves that the
    // block does not have.
    if (bytesEqual(left, right)) throw new RangeError('equal children')
    return doubleSha256(concatBytes(left, right))
  }
  const root = readOrUndefined(() => visit(32 - Math.clz32(transactions - 1), 0))
  const usedAll = hashes.atEnd && flags.length === Math.ceil(flagsUsed / 8)
  return root !== undefined && usedAll && bytesEqual(root, merkleRoot) ? { matched, path } : undefined
}

/** Number of nodes at `height`. Uses division, because the number of transactions may take all 32 bits. */
function widthAt(transactions: number, height: number): number {
  return Math.ceil(transactions / 2 ** height)
}

function levelsOver(leaves: readonly Uint8Array[]): (readonly Uint8Array[])[] {
  if (leaves.length === 0) throw new RangeError('a block has at least one transaction')
  const levels = [leaves]
  for (let below = leaves; below.length > 1; ) {
    const level: Uint8Array[] = []
    for (let i = 0; i < below.length; i += 2) {
      const left = below[i] ?? NOTHING
      level.push(doubleSha256(concatBytes(left, below[i + 1] ?? left)))
    }
    levels.push(level)
    below = level
  }
  return levels
}

const NOTHING = new Uint8Array()

function nodeAt(levels: (readonly Uint8Array[])[], height: number, position: number): Uint8Array {
  const node = levels[height]?.[position]
  if (node === undefined) throw new RangeError(`no node ${position} at height ${height}`)
  return node
}

function packed(flags: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(flags.length / 8))
  flags.forEach((flag, i) => {
    if (flag) bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (1 << (i & 7))
  })
  return bytes
}
