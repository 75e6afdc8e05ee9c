// What is stored of the public log: the keys that sign it, sealed, one in use and the others retired; what was signed, where
// the log stands, its tiles and its entries.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { writeCheckpoint } from '../../../shared/log/checkpoint.ts'
import { blockComposite, entryBytes } from '../../../shared/log/log_entry.ts'
import { type SignedNote, writeNote } from '../../../shared/log/signed_note.ts'
import { HASH_BYTES, TILE_WIDTH, type TileCoordinate, type TileReader } from '../../../shared/log/tiles.ts'
import {
  SIGNATURE_TYPES,
  type VerifierKey,
  verifierKey,
  writeVerifierKey,
} from '../../../shared/log/verifier_key.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { bytes, int4, nullable, type RowOf, text } from '../../store/columns.ts'
import { type Columnwise, columnwise } from '../../store/columnwise.ts'
import { openSealed, seal } from '../../store/seal.ts'
import { db, type RowFrom, rows, statement } from '../../store/statement.ts'
import { privateKeyFromSeed, rawPublicKey } from '../ledger/signing_key.ts'

export interface LogKey {
  /** From 1. The origin of a later one is that of the first with its number. */
  readonly number: number
  /** Its name is the origin. */
  readonly verifier: VerifierKey
}

const KEY = { number: int4, origin: text, public_key: bytes }

const logKeyOf = ({ number, origin, public_key }: RowOf<typeof KEY>): LogKey => ({
  number,
  verifier: verifierKey(origin, SIGNATURE_TYPES.ed25519, public_key),
})

/** Makes and stores a key. There must be none in use. @throws master_key_changed */
export async function makeLogKey(
  { em, masterKey }: { em: EntityManager; masterKey: MasterKey },
  { number, origin }: { number: number; origin: string },
): Promise<LogKey> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
  const public_key = rawPublicKey(privateKey)
  const sealed_seed = await seal({ em, masterKey }, 'log_keys.sealed_seed', number, seed)
  await db(em).insertInto('log_keys').values({ number, origin, public_key, sealed_seed }).execute()
  return logKeyOf({ number, origin, public_key })
}

/** @throws master_key_changed, SealBroken */
export async function openLogKey(
  { em, masterKey }: { em: EntityManager; masterKey: MasterKey },
  number: number,
): Promise<KeyObject> {
  const { sealed_seed } = await db(em)
    .selectFrom('log_keys')
    .select('sealed_seed')
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return privateKeyFromSeed(await openSealed({ em, masterKey }, 'log_keys.sealed_seed', number, sealed_seed))
}

/** The key in use. Undefined before the first start of a version with a log. Index: log_keys_in_use. */
export async function logKeyInUse(em: EntityManager): Promise<LogKey | undefined> {
  const found = await db(em)
    .selectFrom('log_keys')
    .select(['number', 'origin', 'public_key'])
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return found === undefined ? undefined : logKeyOf(found)
}

/** The origin that the first start fixed. Index: log_keys_pkey. */
export async function firstOrigin(em: EntityManager): Promise<string> {
  const { origin } = await db(em)
    .selectFrom('log_keys')
    .select('origin')
    .orderBy('number')
    .limit(1)
    .executeTakeFirstOrThrow()
  return origin
}

export type RetiredOrigin = Awaited<ReturnType<typeof retiredOrigins>>[number]

/** An operator retires each one by hand. */
const MOST_KEYS = 1_000

/** The oldest first. */
export const retiredOrigins = async (em: EntityManager) =>
  (await rows(em, RETIRED)).map((row) => ({
    origin: row.origin,
    key: writeVerifierKey(logKeyOf(row).verifier),
    /** The note of the checkpoint from which the ledger could not go on. Null when there was none. */
    checkpoint: row.last_checkpoint,
    retired_at: row.retired_at,
    reason: row.reason,
  }))

/** Index: log_keys_pkey. */
const RETIRED = statement(
  { ...KEY, last_checkpoint: nullable(text), retired_at: text, reason: text },
  sql`
  SELECT number, origin, public_key, last_checkpoint, iso_time(retired_at) AS retired_at, reason
    FROM log_keys WHERE retired_at IS NOT NULL ORDER BY number LIMIT ${sql.lit(MOST_KEYS)}`,
)

export interface StoredCheckpoint {
  readonly key: LogKey
  readonly size: number
  /** 32 bytes. */
  readonly root: Buffer
  /** 64 bytes, of the log's key over the text of the checkpoint. */
  readonly signature: Buffer
}

export type LogStanding = NonNullable<Awaited<ReturnType<typeof logStanding>>>

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
export async function logStanding(em: EntityManager, size: number) {
  const [found] = await rows(em, STANDING({ size }))
  if (found === undefined) return undefined
  const key = logKeyOf(found)
  return {
    key,
    /** Blocks in the ledger. */
    leaves: found.leaves,
    /** Undefined before the first one of this key. */
    newest: checkpointOf(key, found),
    /** The root that this key signed for the size that was asked about. */
    rootAt: found.root_at ?? undefined,
    /** A note that says what is missing, as it stands in the database: nobody has judged it. */
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
  const found = await rows(em, TILES(columnwise(tiles, 'level', 'index', 'width')))
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

const TILES = statement(
  { hashes: nullable(bytes), length: int4 },
  ({ level, index, width }: Columnwise<TileCoordinate>) => sql`
  SELECT substr(t.hashes, 1, wanted.length) AS hashes, wanted.length
    FROM (SELECT level, tile, width * ${sql.lit(HASH_BYTES)} AS length, place
            FROM unnest(${level}::smallint[], ${index}::int[], ${width}::int[])
                 WITH ORDINALITY AS given (level, tile, width, place)) AS wanted
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
    const { id, previous_block_hash: previousBlockHash, merkle_root: merkleRoot } = block
    const { metadata_hash: metadataHash, signing_key_id: keyId, signature, metadata } = block
    const composite = blockComposite({ id, previousBlockHash, merkleRoot, metadataHash, keyId })
    return entryBytes({ composite, signature, metadata })
  })
}

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
