// Reads what the audit of the log compares with the blocks.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bytes, int4, text } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'

export type AuditedKey = RowFrom<typeof KEYS>
export type CheckpointRow = RowFrom<typeof CHECKPOINTS>

/** By number. An operator makes each but the first by hand. */
export const auditedKeys = async ({ em }: { em: EntityManager }): Promise<ReadonlyMap<number, AuditedKey>> =>
  new Map((await rows(em, KEYS)).map((key) => [key.number, key]))

/** The checkpoints of every key with sizes from `from` to `to`. Index: log_checkpoints_pkey, once a key. */
export const checkpointsWithin = (
  { em }: { em: EntityManager },
  within: { readonly from: number; readonly to: number },
): Promise<readonly CheckpointRow[]> => rows(em, CHECKPOINTS(within))

/**
 * Tiles and checkpoints that no block accounts for, and tiles with too few or too many hashes: the first hundred of
 * each. One statement and so one snapshot. It reads the lengths of all tiles, a row for 255 blocks, and the checkpoints
 * beyond the head.
 */
export const strayRows = ({ em }: { em: EntityManager }): Promise<readonly RowFrom<typeof STRAYS>[]> =>
  rows(em, STRAYS)

const KEYS = statement(
  { number: int4, origin: text, public_key: bytes },
  sql`SELECT number, origin, public_key FROM log_keys ORDER BY number LIMIT 1000`,
)

const CHECKPOINTS = statement(
  { log: int4, size: int4, root: bytes, signature: bytes },
  ({ from, to }: { from: number; to: number }) => sql`
  SELECT c.log, c.size, c.root, c.signature
    FROM log_keys k CROSS JOIN LATERAL (
      SELECT * FROM log_checkpoints WHERE log = k.number AND size >= ${from} AND size <= ${to}) AS c
   ORDER BY c.size, c.log`,
)

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
