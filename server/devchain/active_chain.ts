// Extends the active chain. Blocks are connected as a set in one statement, not one by one.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bytes } from '../store/columns.ts'
import { change, rows } from '../store/run.ts'
import { command, statement } from '../store/statement.ts'
import { claimOutputs } from './standing.ts'

/** Makes these blocks active and their transactions confirmed. The blocks must follow the active tip in order. */
export async function connect(em: EntityManager, hashes: readonly Uint8Array[]): Promise<void> {
  await change(em, ACTIVATE({ hashes }))
  const confirmed = await rows(em, CONFIRM({ hashes }))
  await claimOutputs(
    em,
    confirmed.map(({ txid }) => txid),
  )
}

interface Hashes {
  readonly hashes: readonly Uint8Array[]
}

const ACTIVATE = command(
  ({ hashes }: Hashes) =>
    sql`UPDATE development_blocks SET active = true WHERE hash = ANY(${hashes}::bytea[])`,
)

const CONFIRM = statement(
  { txid: bytes },
  ({ hashes }: Hashes) => sql`
  UPDATE development_transactions t SET standing = 'chain', block_hash = b.hash, height = b.height
    FROM development_blocks b, unnest(b.transaction_ids) AS held (txid)
   WHERE b.hash = ANY(${hashes}::bytea[]) AND t.txid = held.txid RETURNING t.txid`,
)
