// Audits a copy of the log with nothing but its files: its checkpoint, every block from genesis on, the tree over them,
// the keys, and the epochs. Memory does not grow with the size of the log.
import { readSignedCheckpoint, type TreeHead } from '../log/checkpoint.ts'
import { type FiledKey, readKeyringFile, SERIES_FOLDERS, writeKeyringFile } from '../log/copy_files.ts'
import { verifyCosignature } from '../log/cosignature.ts'
import { type LogPolicy, meetsQuorum } from '../log/log_policy.ts'
import { isSignedBy, type SignedNote, signatureBy } from '../log/signed_note.ts'
import { TILE_WIDTH } from '../log/tiles.ts'
import { isSameKey, type VerifierKey } from '../log/verifier_key.ts'
import { bytesEqual, fromHex, readOrError, readOrUndefined, toHex } from '../proof/bytes.ts'
import { keyIdOf, prerotationCommitment } from '../proof/composites.ts'
import { KeyChain, type SignatureCheck } from './chain_audit.ts'
import {
  COPY_CEILINGS,
  type CopyFinding,
  type CopyReader,
  fileFinding,
  readAhead,
  readTileFile,
} from './copy_reader.ts'
import { SeriesAudit, type SeriesCounts } from './series_audit.ts'
import { BundleAudit, sameRoot, TileAudit } from './tree_audit.ts'

/** Whose word counts. */
export interface LogTrust {
  /** Keys of logs, besides those of the policy. */
  readonly keys: readonly VerifierKey[]
  readonly policy: LogPolicy | undefined
}

export type CheckedCheckpoint = NonNullable<ReturnType<typeof auditCheckpoint>['checkpoint']>

/** What is wrong with it, and what it says. `checkpoint` is undefined when it is not one. */
export function auditCheckpoint(file: string, bytes: Uint8Array, { keys, policy }: LogTrust) {
  const read = readOrError(() => readSignedCheckpoint(bytes), RangeError)
  if (read instanceof Error)
    return { findings: [fileFinding(file, 'a checkpoint', read.message)], checkpoint: undefined }
  const { note, ...head } = read
  const findings: CopyFinding[] = []
  const wrong = (field: string, expected: string) => findings.push({ file, height: null, field, expected })
  const logKeys = [...keys, ...(policy?.logs ?? []).map(({ key }) => key)]
  /** The key of its log. Undefined when no key of a log is known, or none of them has signed. */
  let signer: VerifierKey | undefined
  for (const key of logKeys.filter((one) => hasSigned(note, one))) {
    if (isSignedBy(note, key)) signer = key
    else wrong(`the signature of ${key.name}`, 'one over this text')
  }
  if (signer === undefined && logKeys.length > 0)
    wrong('the signatures', `one by ${logKeys.map(({ name }) => name).join(' or ')}`)
  if (signer !== undefined && signer.name !== head.origin)
    wrong('the origin', `${signer.name}, whose key signed it`)
  /** Witnesses of the policy whose cosignatures hold, by their names there. */
  const cosigned: string[] = []
  for (const { name, key } of (policy?.witnesses ?? []).filter((one) => hasSigned(note, one.key))) {
    const cosignature = signatureBy(note.signatures, key)
    if (cosignature !== undefined && verifyCosignature(key, note.text, cosignature) !== undefined)
      cosigned.push(name)
    else wrong(`the cosignature of ${key.name}`, 'one over this text')
  }
  if (policy !== undefined && !meetsQuorum(policy, new Set(cosigned)))
    wrong('the cosignatures', `the quorum of the policy: ${policy.quorum ?? 'none'}`)
  const known = [...logKeys, ...(policy?.witnesses ?? []).map(({ key }) => key)]
  /** Signatures by keys that are not known here. They mean nothing. */
  const ignored = note.signatures.filter((one) => !known.some((key) => isSameKey(one, key))).length
  return { findings, checkpoint: { head, signer, cosigned, ignored } }
}

const hasSigned = (note: SignedNote, key: VerifierKey): boolean =>
  signatureBy(note.signatures, key) !== undefined

interface CopyTools {
  readonly read: CopyReader
  readonly check: SignatureCheck
  /** An earlier checkpoint of the same log, which this one must continue. */
  readonly since?: TreeHead
  /** Whether a copy without its keyring, or without any epoch, is not whole. */
  readonly requireEpochs?: boolean
  /** Bundles and tiles that are read at once. */
  readonly ahead: number
  /** Called after every bundle. */
  readonly onProgress?: (blocks: { readonly done: number; readonly total: number }) => void
}

export interface CopyCounts {
  readonly blocks: number
  readonly tiles: number
  readonly keys: number
  readonly hasKeyring: boolean
  /** Keys of the keyring that blocks after the checkpoint introduced, as it says. No block of the copy has them. */
  readonly laterKeys: readonly FiledKey[]
  /** Blocks at the end that no epoch covers. All of them where there is no epoch. */
  readonly uncovered: number
  readonly series: readonly SeriesCounts[]
}

/** Yields what is wrong, in the order of the blocks. A caller may stop at any finding. */
export async function* auditCopy(
  { read, check, since, requireEpochs = false, ahead, onProgress }: CopyTools,
  head: TreeHead,
): AsyncGenerator<CopyFinding, CopyCounts, undefined> {
  const bundles = new BundleAudit(new KeyChain(check))
  const tiles = new TileAudit(read, since)
  const series = yield* openSeries(read)
  const readPair = async (index: number) => {
    const width = Math.min(TILE_WIDTH, head.size - index * TILE_WIDTH)
    const [bundle, tile] = await Promise.all([
      readTileFile(read, { level: 'entries', index, width }),
      readTileFile(read, { level: 0, index, width }),
    ])
    return { firstHeight: index * TILE_WIDTH, count: width, bundle, tile }
  }
  for await (const pair of readAhead(Math.ceil(head.size / TILE_WIDTH), ahead, readPair)) {
    const blocks = yield* bundles.bundle(pair.bundle, pair)
    yield* tiles.leaves(pair.tile, blocks)
    for (const [at, block] of blocks.entries())
      for (const one of series) if (one.add(pair.firstHeight + at, block?.hash)) yield* one.finish()
    onProgress?.({ done: pair.firstHeight + pair.count, total: head.size })
  }
  yield* tiles.edges()
  yield* sameRoot('the root', tiles.root(), head.root)
  const counts = series.map((one) => one.counts).filter(({ epochs }) => epochs > 0)
  const laterKeys = yield* auditKeyring(read, bundles.keys, head.size)
  const hasKeyring = laterKeys !== undefined
  if (requireEpochs && !hasKeyring) yield fileFinding(KEYRING, 'the keys that blocks introduced', 'missing')
  if (requireEpochs && counts.length === 0)
    yield fileFinding('epochs/', 'an epoch of some public chain', 'missing')
  return {
    blocks: head.size,
    tiles: tiles.tiles,
    keys: bundles.keys.keys.length,
    hasKeyring,
    laterKeys: laterKeys ?? [],
    uncovered: head.size - Math.max(0, ...counts.map(({ coveredTo }) => coveredTo + 1)),
    series: counts,
  }
}

const KEYRING = 'keyring.json'

async function* openSeries(read: CopyReader): AsyncGenerator<CopyFinding, SeriesAudit[], undefined> {
  const found: SeriesAudit[] = []
  for (const folder of SERIES_FOLDERS) {
    const series = new SeriesAudit(read, folder)
    if (yield* series.begin(0)) found.push(series)
  }
  return found
}

/**
 * The file of a log that goes on may be newer than the checkpoint, and have keys of later blocks. Whoever made the copy
 * can have added such keys, so they are returned: a caller has to say that nobody checked them. Undefined without a file.
 */
async function* auditKeyring(
  read: CopyReader,
  { keys, commitment }: KeyChain,
  size: number,
): AsyncGenerator<CopyFinding, readonly FiledKey[] | undefined, undefined> {
  const bytes = await read(KEYRING, COPY_CEILINGS.keyring)
  if (bytes === undefined) return undefined
  const introduced = keys.map((key) => ({ ...key, keyId: fromHex(key.keyId) }))
  const filed = readOrUndefined(() => readKeyringFile(bytes)) ?? []
  const later = filed.filter(({ introducedAtHeight }) => introducedAtHeight >= size)
  if (!bytesEqual(bytes, writeKeyringFile([...introduced, ...later])))
    yield fileFinding(KEYRING, `exactly the ${keys.length} keys that blocks introduced`, 'something else')
  let before = size - 1
  for (const [at, { keyId, publicKey, sequence, introducedAtHeight }] of later.entries()) {
    const canFollow =
      publicKey.length === 32 &&
      bytesEqual(keyId, keyIdOf(publicKey)) &&
      sequence === keys.length + at &&
      introducedAtHeight > before &&
      (at > 0 || commitment === null || commitment === toHex(prerotationCommitment(publicKey)))
    if (!canFollow)
      yield fileFinding(KEYRING, `a key ${toHex(keyId)} that can follow the one before it`, 'another key')
    before = introducedAtHeight
  }
  return later
}
