// Audits a copy of the log with nothing but its files: every block from genesis on, the tree over them, the keys, and
// the epochs. Memory does not grow with the size of the log.
import type { TreeHead } from '../log/checkpoint.ts'
import { SERIES_FOLDERS } from '../log/epoch_file.ts'
import { writeKeyringFile } from '../log/keyring_file.ts'
import { TILE_WIDTH } from '../log/tile_reader.ts'
import { bytesEqual, fromHex, toBase64 } from '../proof/bytes.ts'
import { BundleAudit } from './bundle_audit.ts'
import { type CopyFinding, fileFinding } from './copy_finding.ts'
import { COPY_CEILINGS, type CopyReader, readAhead, readTileFile } from './copy_reader.ts'
import { KeyChain, type SignatureCheck } from './key_chain.ts'
import { SeriesAudit, type SeriesCounts } from './series_audit.ts'
import { TileAudit } from './tile_audit.ts'

export interface CopyTools {
  readonly read: CopyReader
  readonly check: SignatureCheck
  /** An earlier checkpoint of the same log, which this one must continue. */
  readonly since?: TreeHead
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
  readonly series: readonly SeriesCounts[]
}

/** Yields what is wrong, in the order of the blocks. A caller may stop at any finding. */
export async function* auditCopy(
  { read, check, since, ahead, onProgress }: CopyTools,
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
  if (!bytesEqual(tiles.root(), head.root))
    yield {
      file: 'checkpoint',
      height: null,
      field: 'the root',
      expected: toBase64(tiles.root()),
      found: toBase64(head.root),
    }
  return {
    blocks: head.size,
    tiles: tiles.tiles,
    keys: bundles.keys.keys.length,
    hasKeyring: yield* auditKeyring(read, bundles.keys),
    series: series.map(({ counts }) => counts),
  }
}

async function* openSeries(read: CopyReader): AsyncGenerator<CopyFinding, SeriesAudit[], undefined> {
  const found: SeriesAudit[] = []
  for (const folder of SERIES_FOLDERS) {
    const series = new SeriesAudit(read, folder)
    if (yield* series.begin(0)) found.push(series)
  }
  return found
}

async function* auditKeyring(
  read: CopyReader,
  { keys }: KeyChain,
): AsyncGenerator<CopyFinding, boolean, undefined> {
  const file = 'keyring.json'
  const bytes = await read(file, COPY_CEILINGS.keyring)
  if (bytes === undefined) return false
  const expected = writeKeyringFile(keys.map((key) => ({ ...key, keyId: fromHex(key.keyId) })))
  if (!bytesEqual(bytes, expected))
    yield fileFinding(file, `exactly the ${keys.length} keys that blocks introduced`, 'something else')
  return true
}
