// Many blocks at once, for tests of the tree. They have no items, and their hashes and signatures are no real ones.
import type { TestLedger } from '../../support/ledger.ts'

/** Appends so many blocks behind the head, in one statement. Once a ledger. */
export const growBy = async ({ database }: Pick<TestLedger, 'database'>, blocks: number): Promise<void> => {
  await database.query(GROW, [blocks])
}

const id = (n: string): string => `left(head.id, 13) || '-7fff-bfff-' || lpad((${n})::text, 12, '0')`

const GROW = `
  INSERT INTO blocks (id, height, previous_block_id, previous_block_hash, block_hash, merkle_root, metadata,
                      metadata_hash, signing_key_id, signature, state, leaf_count, item_count, observation_count,
                      finalized_at)
  SELECT ${id('n')}, head.height + n, CASE n WHEN 1 THEN head.id ELSE ${id('n - 1')} END,
         CASE n WHEN 1 THEN head.block_hash ELSE sha256(('b' || n - 1)::bytea) END, sha256(('b' || n)::bytea),
         sha256(('r' || n)::bytea), '{}', head.metadata_hash, head.signing_key_id,
         sha256(('s' || n)::bytea) || sha256('s'), 'finalized', 0, 0, 0, finalized_at + n * interval '1 millisecond'
    FROM (SELECT * FROM blocks ORDER BY height DESC LIMIT 1) AS head, generate_series(1, $1::int) AS n ORDER BY n`
