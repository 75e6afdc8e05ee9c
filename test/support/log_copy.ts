// A copy of a log made of nothing but keys of its own: blocks with key events, tiles, epochs on Bitcoin, a checkpoint with
// two cosignatures. Files by their paths.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { BITS, findNonce } from '../../server/devchain/mine_block.ts'
import { uuid7From } from '../../server/kernel/identifiers.ts'
import type { SignatureCheck } from '../../shared/audit/chain_audit.ts'
import { type TreeHead, writeCheckpoint } from '../../shared/log/checkpoint.ts'
import { epochPath, type FiledKey, writeEpochFile, writeKeyringFile } from '../../shared/log/copy_files.ts'
import { cosignedMessage } from '../../shared/log/cosignature.ts'
import { type MadeTile, TileBuilder } from '../../shared/log/growing_tree.ts'
import { blockComposite, entryBundle, entryBytes, entryLeafHash } from '../../shared/log/log_entry.ts'
import { type LogPolicy, writePolicy } from '../../shared/log/log_policy.ts'
import { type SignedNote, writeHashLines, writeNote } from '../../shared/log/signed_note.ts'
import { readTilePath, TILE_WIDTH, type TileReader, tileAt, tilePath } from '../../shared/log/tiles.ts'
import { consistencyProof } from '../../shared/log/tree_proofs.ts'
import {
  SIGNATURE_TYPES,
  type VerifierKey,
  verifierKey,
  writeVerifierKey,
} from '../../shared/log/verifier_key.ts'
import { displayHash } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { headerHash } from '../../shared/proof/bitcoin/block_header.ts'
import {
  opReturnScript,
  transactionHash,
  transactionId,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'
import { bitcoinMerkleRoot, writeTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { concatBytes, toBase64, toHex, u64, utf8 } from '../../shared/proof/bytes.ts'
import {
  canonicalTextHash,
  commitmentHash,
  genesisPreviousHash,
  jsonHash,
  keyIdOf,
  prerotationCommitment,
} from '../../shared/proof/composites.ts'
import { sha256 } from '../../shared/proof/domain_hash.ts'
import { canonicalJson } from '../../shared/proof/json_value.ts'
import { EMPTY_ROOT, merkleRoot } from '../../shared/proof/merkle.ts'

export type LogFiles = Map<string, Uint8Array>

export interface LogCopy {
  readonly files: LogFiles
  readonly logKey: VerifierKey
  /** As `log key` prints it. */
  readonly verifierKey: string
  /** Two witnesses, both needed. */
  readonly policy: LogPolicy
  readonly policyFile: Uint8Array
  /** The checkpoint of a size up to that of the copy. */
  readonly checkpoint: (size: number) => Uint8Array
}

export interface LogWanted {
  readonly size: number
  /** Heights of blocks with a rotation. */
  readonly rotations?: readonly number[]
  /** Blocks of an epoch. They begin at block 1. None when absent. */
  readonly epochBlocks?: number
  readonly origin?: string
  /** Makes another history of the same log: from this height on, blocks have other ids. */
  readonly forkAt?: number
  /** Makes another key of the log. */
  readonly seed?: string
}

const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

interface TestKey {
  readonly privateKey: KeyObject
  readonly publicKey: Uint8Array
}

const keyFrom = (seed: string): TestKey => {
  const der = Buffer.concat([PKCS8_HEAD, sha256(utf8(seed))])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return { privateKey, publicKey: new Uint8Array(publicKey.subarray(SPKI_HEAD.length)) }
}

export const checkSignature: SignatureCheck = (publicKey) => {
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' })
  return (digest, signature) => verify(null, digest, key, signature)
}

/** The proof between two sizes of a copy, as a log answers it. */
export async function consistencyText({ files }: LogCopy, oldSize: number, newSize: number): Promise<string> {
  const size = [...files.keys()].reduce((most, path) => Math.max(most, sizeOfBundle(path)), 0)
  const read: TileReader = async (tiles) =>
    tiles.map((tile) => {
      const { width = tile.width } = tileAt(size, tile.level, tile.index) ?? {}
      return files.get(tilePath({ ...tile, width })) ?? new Uint8Array()
    })
  return writeHashLines(await consistencyProof(read, oldSize, newSize))
}

function sizeOfBundle(path: string): number {
  const place = readTilePath(path)
  return place?.level === 'entries' ? place.index * TILE_WIDTH + place.width : 0
}

export interface LogSigner {
  readonly key: VerifierKey
  readonly verifierKey: string
  readonly signed: (head: Omit<TreeHead, 'origin'>) => SignedNote
  readonly note: (head: Omit<TreeHead, 'origin'>) => string
}

/** The same key for the same origin and seed. */
export function makeLogKey(origin: string, seed = 'log'): LogSigner {
  const { privateKey, publicKey } = keyFrom(`${seed} ${origin}`)
  const key = verifierKey(origin, SIGNATURE_TYPES.ed25519, publicKey)
  const signed = (head: Omit<TreeHead, 'origin'>): SignedNote => {
    const text = writeCheckpoint({ origin, ...head })
    return { text, signatures: [{ ...key, signature: new Uint8Array(sign(null, utf8(text), privateKey)) }] }
  }
  return {
    key,
    verifierKey: writeVerifierKey(key),
    signed,
    note: (head) => writeNote(signed(head)),
  }
}

export function makeLogCopy(wanted: LogWanted): LogCopy {
  const { size, origin = 'pharos.example/log', seed } = wanted
  const { entries, hashes, keys } = makeBlocks(wanted)
  const files: LogFiles = new Map()
  const heads = putTiles(files, entries)
  putEpochs(files, hashes, wanted.epochBlocks)
  files.set('keyring.json', writeKeyringFile(keys))
  const log = makeLogKey(origin, seed)
  const witnesses = ['first', 'second'].map((name) => {
    const { privateKey, publicKey } = keyFrom(name)
    return {
      name,
      privateKey,
      key: verifierKey(`${name}.example`, SIGNATURE_TYPES.ed25519Cosignature, publicKey),
    }
  })
  const policy: LogPolicy = {
    logs: [{ key: log.key }],
    witnesses: witnesses.map(({ name, key }) => ({ name, key })),
    groups: [{ name: 'both', threshold: 2, members: ['first', 'second'] }],
    quorum: 'both',
  }
  const checkpoint = (at: number): Uint8Array => {
    const { text, signatures } = log.signed({ size: at, root: heads[at] ?? EMPTY_ROOT })
    const cosignatures = witnesses.map(({ key, privateKey }) => {
      const time = 1_800_000_000 + at
      const signature = sign(null, cosignedMessage(key, text, time), privateKey)
      return { ...key, signature: concatBytes(u64(time), new Uint8Array(signature)) }
    })
    return utf8(writeNote({ text, signatures: [...signatures, ...cosignatures] }))
  }
  files.set('checkpoint', checkpoint(size))
  const policyFile = writePolicy(policy)
  return { files, logKey: log.key, verifierKey: log.verifierKey, policy, policyFile, checkpoint }
}

function makeBlocks({ size, rotations = [], forkAt = size }: LogWanted) {
  const entries: Uint8Array[] = []
  const hashes: Uint8Array[] = []
  const keys: FiledKey[] = []
  let current = keyFrom('signing 0')
  for (let height = 0; height < size; height += 1) {
    const signer = current
    const isEvent = height === 0 || rotations.includes(height)
    let metadata = '{}'
    if (isEvent) {
      const sequence = keys.length
      current = keyFrom(`signing ${sequence}`)
      const next = keyFrom(`signing ${sequence + 1}`)
      const keyId = keyIdOf(current.publicKey)
      keys.push({ keyId, publicKey: current.publicKey, sequence, introducedAtHeight: height })
      metadata = canonicalJson({
        key_event: {
          key_id: toHex(keyId),
          prerotation_commitment: toHex(prerotationCommitment(next.publicKey)),
          public_key: toBase64(current.publicKey),
          sequence,
          type: height === 0 ? 'genesis' : 'rotation',
        },
      })
    }
    const random = sha256(utf8(`${height}${height >= forkAt ? ' forked' : ''}`)).slice(0, 10)
    const composite = blockComposite({
      id: uuid7From(1_800_000_000_000 + height * 60_000, random),
      previousBlockHash: hashes[height - 1] ?? genesisPreviousHash('pharos:genesis:v1'),
      merkleRoot: EMPTY_ROOT,
      metadataHash: canonicalTextHash('block_metadata', metadata),
      keyId: keyIdOf(signer.publicKey),
    })
    const hash = sha256(composite)
    hashes.push(hash)
    const signature = new Uint8Array(sign(null, hash, signer.privateKey))
    entries.push(entryBytes({ composite, signature, metadata }))
  }
  return { entries, hashes, keys }
}

/** Returns the root at every size. */
function putTiles(files: LogFiles, entries: readonly Uint8Array[]): Uint8Array[] {
  const builder = new TileBuilder()
  const heads = [builder.root()]
  const put = (tile: MadeTile) => void files.set(tilePath(tile), tile.bytes.slice())
  for (const entry of entries) {
    for (const tile of builder.add(entryLeafHash(entry))) put(tile)
    heads.push(builder.root())
  }
  for (const tile of builder.partial()) put(tile)
  for (let index = 0; index * TILE_WIDTH < entries.length; index += 1) {
    const bundled = entries.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH)
    files.set(tilePath({ level: 'entries', index, width: bundled.length }), entryBundle(bundled))
  }
  return heads
}

/** The last epoch waits for its confirmation. */
function putEpochs(files: LogFiles, hashes: readonly Uint8Array[], epochBlocks = 0): void {
  const epochs = epochBlocks === 0 ? 0 : Math.floor((hashes.length - 1) / epochBlocks)
  for (let sequence = 0; sequence < epochs; sequence += 1) {
    const first = 1 + sequence * epochBlocks
    const root = merkleRoot(hashes.slice(first, first + epochBlocks))
    const file = writeEpochFile({
      chain: 'bitcoin',
      network: 'regtest',
      sequence,
      root: toHex(root),
      first_height: first,
      last_height: first + epochBlocks - 1,
      commitment: sequence === epochs - 1 ? null : commitmentTo(root),
    })
    files.set(epochPath('epochs/bitcoin', sequence), file)
  }
}

function commitmentTo(root: Uint8Array) {
  const transaction = (data: Uint8Array) => ({
    version: 2,
    inputs: [
      {
        previousTransaction: sha256(data),
        previousOutput: 0,
        script: new Uint8Array(),
        sequence: 0xffff_fffd,
        witness: [sha256(root)],
      },
    ],
    outputs: [{ value: 0n, script: opReturnScript(data) }],
    lockTime: 0,
  })
  const ours = transaction(root)
  const leaves = [0, 1, 2, 3].map((number) => transactionHash(transaction(sha256(Uint8Array.of(number)))))
  leaves.push(transactionHash(ours))
  const merkle = bitcoinMerkleRoot(leaves)
  const { header } = findNonce({
    version: 4,
    previousBlock: sha256(root),
    merkleRoot: merkle,
    time: 1_800_000_600,
    bits: BITS,
  })
  const id = uuid7From(1_800_000_300_000, new Uint8Array(10))
  const keyId = keyIdOf(keyFrom('signing 0').publicKey)
  const transactionHex = transactionId(ours)
  const data = { chain: 'bitcoin', epoch_root: toHex(root), network: 'regtest', tx: transactionHex }
  const dataHash = jsonHash('commitment_data', data)
  return {
    id,
    signing_key_id: toHex(keyId),
    commitment_hash: toHex(commitmentHash({ id, dataHash, ownerId: 'epoch:bitcoin', keyId })),
    transaction_hash: transactionHex,
    timestamp: '2027-01-15T08:10:00Z',
    block_height: 120,
    block_hash: headerHash(header),
    block_merkle_root: displayHash(merkle),
    raw_transaction: toHex(writeTransaction(ours)),
    txoutproof: toHex(writeTxoutproof(leaves, 4, header)),
  }
}
