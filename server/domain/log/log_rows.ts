// What is stored of the public log: what was signed, where the log stands, its tiles and its entries.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { writeCheckpoint } from '../../../shared/log/checkpoint.ts'
import { blockComposite, entryBytes } from '../../../shared/log/log_entry.ts'
import { type SignedNote, writeNote } from '../../../shared/log/signed_note.ts'
import { HASH_BYTES, TILE_WIDTH, type TileCoordinate, type TileReader } from '../../../shared/log/tiles.ts'
import { bytes, int4, nullable, text } from '../../store/columns.ts'
import { db, rows } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'
import { type LogKey, logKeyOf } from './log_key.ts'

export interface StoredCheckpoint {
  readonly key: LogKey
  readonly size: number
  /** 32 bytes. */
  readonly root: Buffer
  /** 64 bytes, of the log's key over the text of the checkpoint. */
  readonly signature: Buffer
}

export interface LogStanding {
  readonly key: LogKey
  /** Blocks in the ledger. */
  readonly leaves: number
  /** Undefined before the first one of this key. */
  readonly newest: StoredCheckpoint | undefined
  /** The root that this key signed for the size that was asked about. */
  readonly rootAt: Buffer | undefined
  /** A note that says what is missing, as it stands in the database: nobody has judged it. */
  readonly missing: string | undefined
}

/** The signed note, without cosignatures. */
export const noteOf = ({ key, size, root, signature }: StoredCheckpoint): SignedNote => ({
  text: writeCheckpoint({ origin: key.verifier.name, size, root }),
  signatures: [{ name: key.verifier.name, id: key.verifier.id, signature }],
})

export const noteTextOf = (checkpoint: StoredCheckpoint): string => writeNote(noteOf(checkpoint))

/**
 * Where the log stands, in one snapshot. Undefined before there is a key. Indexes: log_keys_in_use,
 * log_checkpoints_pkey, blocks_height_key, missing_checkpoints_pkey.
 * @param size of which `rootAt` is the signed root; 0 for none
 */
export async function logStanding(em: EntityManager, size: number): Promise<LogStanding | undefined> {
  const [found] = await rows(em, STANDING({ size }))
  if (found === undefined) return undefined
  const key = logKeyOf(found)
  return {
    key,
    leaves: found.leaves,
    newest: checkpointOf(key, found),
    rootAt: found.root_at ?? undefined,
    missing: found.missing ?? undefined,
  }
}

/** The caller holds the lock of the ledger, and the checkpoint extends the newest stored one of its key. */
export async function storeCheckpoint(
  em: EntityManager,
  { key, size, root, signature }: Omit<StoredCheckpoint, 'root'> & { readonly root: Uint8Array },
): Promise<void> {
  await db(em).insertInto('log_checkpoints').values({ log: key.number, size, root, signature }).execute()
}

/** The checkpoint of the key in use for a size. Index: log_checkpoints_pkey. */
export async function checkpointAt(em: EntityManager, size: number): Promise<StoredCheckpoint | undefined> {
  const [found] = await rows(em, AT({ size }))
  return found === undefined ? undefined : checkpointOf(logKeyOf(found), found)
}

const checkpointOf = (
  key: LogKey,
  { size, root, signature }: Pick<RowFrom<typeof STANDING>, 'size' | 'root' | 'signature'>,
): StoredCheckpoint | undefined =>
  size === null || root === null || signature === null ? undefined : { key, size, root, signature }

const CHECKPOINT = { size: nullable(int4), root: nullable(bytes), signature: nullable(bytes) }
const KEY = { number: int4, origin: text, public_key: bytes }

const STANDING = statement(
  { ...KEY, ...CHECKPOINT, leaves: int4, root_at: nullable(bytes), missing: nullable(text) },
  ({ size }: { size: number }) => sql`
  SELECT k.number, k.origin, k.public_key, newest.size, newest.root, newest.signature,
         coalesce((SELECT height + 1 FROM blocks ORDER BY height DESC LIMIT 1), 0) AS leaves,
         (SELECT c.root FROM log_checkpoints c WHERE c.log = k.number AND c.size = ${size}) AS root_at,
         (SELECT m.note FROM missing_checkpoints m WHERE m.log = k.number) AS missing
    FROM log_keys k
    LEFT JOIN LATERAL (SELECT size, root, signature FROM log_checkpoints c WHERE c.log = k.number
                        ORDER BY size DESC LIMIT 1) AS newest ON true
   WHERE k.retired_at IS NULL`,
)

const AT = statement(
  { ...KEY, ...CHECKPOINT },
  ({ size }: { size: number }) => sql`
  SELECT k.number, k.origin, k.public_key, c.size, c.root, c.signature
    FROM log_keys k JOIN log_checkpoints c ON c.log = k.number
   WHERE k.retired_at IS NULL AND c.size = ${size}`,
)

/** Tiles of one call. A proof needs a few of each level. */
const MOST_TILES = 256

/**
 * Tiles in the order of the list, each cut to the width that is asked for. Undefined where there are fewer hashes.
 * Makes one statement. Index: log_tiles_pkey.
 */
export async function tileRows(
  em: EntityManager,
  tiles: readonly TileCoordinate[],
): Promise<(Buffer | undefined)[]> {
  if (tiles.length === 0) return []
  if (tiles.length > MOST_TILES) throw new RangeError(`at most ${MOST_TILES} tiles are read at once`)
  const found = await rows(
    em,
    TILES({
      levels: tiles.map(({ level }) => level),
      indexes: tiles.map(({ index }) => index),
      lengths: tiles.map(({ width }) => width * HASH_BYTES),
    }),
  )
  return found.map(({ hashes, length }) => (hashes === null || hashes.length < length ? undefined : hashes))
}

/** For proofs. It throws where a tile is not there. */
export const storedTiles =
  (em: EntityManager): TileReader =>
  async (tiles) =>
    (await tileRows(em, tiles)).map((found, at) => {
      if (found === undefined)
        throw new RangeError(`There is no tile ${tiles[at]?.level}/${tiles[at]?.index} of this width.`)
      return found
    })

interface Wanted {
  readonly levels: readonly number[]
  readonly indexes: readonly number[]
  readonly lengths: readonly number[]
}

const TILES = statement(
  { hashes: nullable(bytes), length: int4 },
  ({ levels, indexes, lengths }: Wanted) => sql`
  SELECT substr(t.hashes, 1, wanted.length) AS hashes, wanted.length
    FROM unnest(${levels}::smallint[], ${indexes}::int[], ${lengths}::int[])
         WITH ORDINALITY AS wanted (level, tile, length, place)
    LEFT JOIN log_tiles t ON t.level = wanted.level AND t.tile = wanted.tile
   ORDER BY wanted.place`,
)

/**
 * The entries from `from` up to, not including, `to`, at most 256 of them; fewer when the ledger ends before. Makes one
 * statement. Index: blocks_height_key.
 */
export async function entryRows(
  em: EntityManager,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Uint8Array[]> {
  if (to - from > TILE_WIDTH) throw new RangeError(`at most ${TILE_WIDTH} entries are read at once`)
  return (await rows(em, BLOCKS({ from, to }))).map((block, at) => {
    if (block.height !== from + at) throw new Error(`The ledger has no block ${from + at}.`)
    return entryOf(block)
  })
}

const entryOf = (block: RowFrom<typeof BLOCKS>): Uint8Array =>
  entryBytes({
    composite: blockComposite({
      id: block.id,
      previousBlockHash: block.previous_block_hash,
      merkleRoot: block.merkle_root,
      metadataHash: block.metadata_hash,
      keyId: block.signing_key_id,
    }),
    signature: block.signature,
    metadata: block.metadata,
  })

const BLOCKS = statement(
  {
    height: int4,
    id: text,
    previous_block_hash: bytes,
    merkle_root: bytes,
    metadata_hash: bytes,
    signing_key_id: bytes,
    signature: bytes,
    metadata: text,
  },
  ({ from, to }: { from: number; to: number }) => sql`
  SELECT height, id, previous_block_hash, merkle_root, metadata_hash, signing_key_id, signature, metadata
    FROM blocks WHERE height >= ${from} AND height < ${to} ORDER BY height`,
)
