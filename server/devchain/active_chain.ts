// Which chain counts: blocks are connected in sets, never one by one.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../store/rows.ts'
import { claimOutputs } from './standing.ts'

/** Blocks that follow the active tip one on the other become active, and their transactions confirmed. */
export async function connect(em: EntityManager, hashes: readonly Uint8Array[]): Promise<void> {
  await rows(em, 'UPDATE development_blocks SET active = true WHERE hash = ANY($1::bytea[])', [hashes])
  const confirmed = await rows<{ txid: Buffer }>(em, CONFIRM, [hashes])
  await claimOutputs(
    em,
    confirmed.map(({ txid }) => txid),
  )
}

const CONFIRM = `
  UPDATE development_transactions t SET standing = 'chain', block_hash = b.hash, height = b.height
    FROM development_blocks b, unnest(b.transaction_ids) AS held (txid)
   WHERE b.hash = ANY($1::bytea[]) AND t.txid = held.txid RETURNING t.txid`
