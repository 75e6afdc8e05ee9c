// Makes the first block. It has no subjects and no real predecessor, and it introduces the first signing key.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { canonicalJson } from '../../../shared/proof/canonical_json.ts'
import { GENESIS_MESSAGE, genesisPreviousHash } from '../../../shared/proof/composites.ts'
import { EMPTY_ROOT } from '../../../shared/proof/merkle.ts'
import { uuid7From } from '../../../shared/proof/uuid7.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { bool, float8 } from '../../store/columns.ts'
import { putFirstKeyInForce } from '../../store/key_in_force.ts'
import { db, inTransaction, row } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import { NO_LOG } from './block.ts'
import { insertBlock } from './insert_block.ts'
import { lockLedger } from './ledger_lock.ts'
import type { Signer } from './signer.ts'
import { keyEventMetadata, makeSigningKey } from './signing_key.ts'

/** Makes keys 0 and 1 and the genesis block in one transaction. Does nothing when the ledger already has a block. */
export function makeGenesis({
  em,
  masterKey,
  signer,
}: {
  em: EntityManager
  masterKey: MasterKey
  signer: Signer
}): Promise<'made' | 'exists'> {
  return inTransaction(em, async (tx) => {
    await lockLedger(tx)
    const { begun, now_ms } = await row(tx, BEGUN)
    if (begun) return 'exists'
    await putFirstKeyInForce({ em: tx, masterKey })
    const key = await makeSigningKey({ em: tx, masterKey }, 0)
    const next = await makeSigningKey({ em: tx, masterKey }, 1)
    await db(tx)
      .updateTable('signing_keys')
      .set({ rotation: 'genesis', introduced_at_height: 0 })
      .where('key_id', '=', key.keyId)
      .execute()
    const id = uuid7From(now_ms, randomBytes(10))
    await insertBlock(
      { em: tx, signer, publicLog: NO_LOG },
      {
        id,
        height: 0,
        timeMs: now_ms,
        previousBlockId: id,
        previousBlockHash: genesisPreviousHash(GENESIS_MESSAGE),
        merkleRoot: EMPTY_ROOT,
        metadata: canonicalJson(keyEventMetadata(key, 'genesis', next)),
        signingKeyId: key.keyId,
        itemCount: 0,
        observationCount: 0,
        firstItemId: null,
        lastItemId: null,
      },
    )
    return 'made'
  })
}

const BEGUN = statement(
  { begun: bool, now_ms: float8 },
  sql`SELECT EXISTS (SELECT 1 FROM blocks) AS begun, unix_ms(pharos_now()) AS now_ms`,
)
