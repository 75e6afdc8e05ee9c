// Compares the stored log with the blocks: every tile, every checkpoint with its signature, and the keys that sign.
import { verify } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import {
  agree,
  type Disagreement,
  type Disagreements,
  firstOf,
  holds,
} from '../../../shared/audit/disagreement.ts'
import { writeCheckpoint } from '../../../shared/log/checkpoint.ts'
import {
  EMPTY_FRONTIER,
  type Frontier,
  frontierRoot,
  grow,
  type MadeTile,
  TileBuilder,
} from '../../../shared/log/growing_tree.ts'
import { entryLeafHash } from '../../../shared/log/log_entry.ts'
import { TILE_WIDTH } from '../../../shared/log/tiles.ts'
import { utf8 } from '../../../shared/proof/bytes.ts'
import { type MasterKey, SealBroken } from '../../kernel/sealed.ts'
import { bytes, int4, text } from '../../store/columns.ts'
import { type RowFrom, rows, statement } from '../../store/statement.ts'
import { publicKeyFromRaw, rawPublicKey } from '../ledger/signing_key.ts'
import { entryRows, openLogKey, tileRows } from './log_rows.ts'

interface AuditTools {
  readonly em: EntityManager
  /** When given, the sealed seeds are opened too. */
  readonly masterKey?: MasterKey | undefined
}

type AuditedKey = RowFrom<typeof KEYS>

/** An operator makes each but the first by hand. */
const KEYS = statement(
  { number: int4, origin: text, public_key: bytes },
  sql`SELECT number, origin, public_key FROM log_keys ORDER BY number LIMIT 1000`,
)

/** Of every key. Index: log_checkpoints_pkey, once a key. */
const CHECKPOINTS = statement(
  { log: int4, size: int4, root: bytes, signature: bytes },
  ({ from, to }: { from: number; to: number }) => sql`
  SELECT c.log, c.size, c.root, c.signature
    FROM log_keys k CROSS JOIN LATERAL (
      SELECT * FROM log_checkpoints WHERE log = k.number AND size >= ${from} AND size <= ${to}) AS c
   ORDER BY c.size, c.log`,
)

/**
 * Tiles and checkpoints that no block accounts for, and tiles with too few or too many hashes: the first hundred of
 * each. One statement and so one snapshot. It reads the lengths of all tiles, a row for 255 blocks, and the checkpoints
 * beyond the head.
 */
const STRAYS = statement(
  { subject: text, expected: text },
  sql`
  WITH head AS (SELECT coalesce(max(height) + 1, 0) AS leaves FROM blocks),
  tile AS (
    SELECT level, tile, length(hashes) / 32 AS hashes,
           least(256, greatest(0, div(leaves, power(256::numeric, level)) - tile::bigint * 256))::int AS due
      FROM log_tiles, head)
  (SELECT format('log tile %s/%s', level, tile) AS subject, format('%s hashes', due) AS expected
     FROM tile WHERE hashes <> due ORDER BY level, tile LIMIT 100)
   UNION ALL
  (SELECT format('checkpoint %s of log %s', c.size, c.log), 'no more than there are blocks'
     FROM log_checkpoints c, head WHERE c.size > leaves ORDER BY c.size LIMIT 100)`,
)

/**
 * May run beside a running service, because what is compared never changes: entries, hashes that a tile has, and
 * checkpoints. Ends with the newest block that there is when it gets there. Makes three statements for 256 blocks.
 */
export async function auditLog(tools: AuditTools, { limit = 1 }: { readonly limit?: number } = {}) {
  const counts = { tiles: 0, checkpoints: 0 }
  const disagreements = await firstOf(everything(tools, counts), limit)
  return { ...counts, disagreements }
}

/** In the order of the blocks. */
async function* everything(
  { em, masterKey }: AuditTools,
  counts: { tiles: number; checkpoints: number },
): AsyncGenerator<Disagreement> {
  const keys = new Map((await rows(em, KEYS)).map((key) => [key.number, key]))
  for (const key of keys.values()) yield* auditKey({ em, masterKey }, key)
  const builder = new TileBuilder()
  let frontier: Frontier = EMPTY_FRONTIER
  for (let from = 0; ; from += TILE_WIDTH) {
    const entries = await entryRows(em, { from, to: from + TILE_WIDTH })
    const signed = await rows(em, CHECKPOINTS({ from: from + 1, to: from + entries.length }))
    const roots = new Map<number, Uint8Array>()
    const made: MadeTile[] = []
    for (const entry of entries) {
      const leaf = entryLeafHash(entry)
      made.push(...builder.add(leaf))
      frontier = grow(frontier, leaf)
      roots.set(frontier.size, frontierRoot(frontier))
    }
    const isLast = entries.length < TILE_WIDTH
    if (isLast) made.push(...builder.partial())
    yield* auditTiles(em, made)
    for (const checkpoint of signed) yield* auditCheckpoint(checkpoint, keys, roots.get(checkpoint.size))
    counts.tiles += made.length
    counts.checkpoints += signed.length
    await yieldToEventLoop()
    if (isLast) break
  }
  for (const { subject, expected } of await rows(em, STRAYS))
    yield { height: null, subject, field: 'row', expected }
}

async function* auditTiles(em: EntityManager, made: readonly MadeTile[]): AsyncGenerator<Disagreement> {
  const stored = await tileRows(em, made)
  for (const [at, { level, index, bytes }] of made.entries()) {
    const place = { height: null, subject: `log tile ${level}/${index}` }
    const found = stored[at]
    if (found === undefined)
      yield { ...place, field: 'tile', expected: 'a stored tile', found: 'too few hashes' }
    else yield* holds(place, 'hashes', found.equals(bytes), 'the hashes over the blocks')
  }
}

function* auditCheckpoint(
  { log, size, root, signature }: RowFrom<typeof CHECKPOINTS>,
  keys: ReadonlyMap<number, AuditedKey>,
  expected: Uint8Array | undefined,
): Disagreements {
  const place = { height: size - 1, subject: `checkpoint ${size} of log ${log}` }
  yield* agree(place, 'root', expected, root)
  const key = keys.get(log)
  const text = key === undefined ? '' : writeCheckpoint({ origin: key.origin, size, root })
  const isSigned = key !== undefined && verify(null, utf8(text), publicKeyFromRaw(key.public_key), signature)
  yield* holds(place, 'signature', isSigned, 'that of its key')
}

/** The sealed seed is that of the public key. */
async function* auditKey(
  { em, masterKey }: AuditTools,
  { number, public_key }: AuditedKey,
): AsyncGenerator<Disagreement> {
  if (masterKey === undefined) return
  const place = { height: null, subject: `key of log ${number}` }
  try {
    const opened = rawPublicKey(await openLogKey({ em, masterKey }, number))
    yield* agree(place, 'public_key', opened.toString('base64url'), public_key.toString('base64url'))
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    yield { ...place, field: 'sealed_seed', expected: 'a value that the master key opens' }
  }
}
