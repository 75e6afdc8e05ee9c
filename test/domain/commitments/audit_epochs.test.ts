// The audit of epochs passes on what the service wrote, and finds every way in which a row was changed behind its back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditEpochs } from '../../../server/domain/commitments/audit_epochs.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { type BitcoinGround, openBitcoinGround } from '../../support/chains/bitcoin_ground.ts'
import { modelChain } from '../../support/chains/model_chain.ts'
import { rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { look, nextSlot, visit } from './committing.ts'

const ledger = testLedger()
let bitcoin: BitcoinGround
beforeAll(async () => {
  bitcoin = await openBitcoinGround()
  const stellar = modelChain('stellar', 'testnet')
  for (let epoch = 0; epoch < 3; epoch += 1) {
    for (let made = 0; made < 3; ) if ((await ledger.finalize()).outcome === 'finalized') made += 1
    await nextSlot(ledger.store)
    for (const chain of [bitcoin.chain, stellar]) await visit(ledger.store, chain)
    await bitcoin.control.mine(1)
    stellar.mine()
    // The last one on stellar is still on its way.
    for (const chain of epoch < 2 ? [bitcoin.chain, stellar] : [bitcoin.chain])
      await look(ledger.store, chain)
  }
}, 60_000)
afterAll(() => bitcoin.close())

const ZEROS = `decode(repeat('00', 32), 'hex')`

describe('the audit of epochs', () => {
  it('passes, and counts them', async () => {
    expect(await auditEpochs(ledger.store.em())).toEqual({ epochs: 6, disagreements: [] })
  })

  it.each([
    ['root', `UPDATE epochs SET root = ${ZEROS} WHERE chain = 'stellar' AND sequence = 0`],
    ['block_count', `UPDATE epochs SET block_count = 7 WHERE chain = 'bitcoin' AND sequence = 1`],
    ['sequence', `UPDATE epochs SET sequence = 5 WHERE chain = 'bitcoin' AND sequence = 2`],
    [
      'first_block_id',
      `UPDATE epochs SET first_block_id = last_block_id WHERE chain = 'stellar' AND sequence = 1`,
    ],
    ['epoch_root', `UPDATE commitments SET epoch_root = ${ZEROS} WHERE chain = 'bitcoin'`],
    ['commitment', `UPDATE commitments SET network = 'mainnet' WHERE chain = 'stellar'`],
    [
      'commitment_hash',
      `UPDATE commitments SET commitment_hash = ${ZEROS} WHERE chain = 'stellar' AND state = 'confirmed'`,
    ],
    [
      'transaction_hash',
      `UPDATE commitments SET transaction_hash = ${ZEROS} WHERE chain = 'stellar' AND state = 'confirmed'`,
    ],
    ['evidence', `DELETE FROM commitment_evidence`],
    ['evidence', `UPDATE commitments SET state = 'submitted' WHERE chain = 'bitcoin'`],
    ['blocks not committed', `UPDATE blocks SET state = 'finalized', committed_at = NULL WHERE height = 4`],
    [
      'evidence',
      `UPDATE commitment_evidence SET raw_transaction = '\\x00' WHERE raw_transaction IS NOT NULL`,
    ],
    [
      'txoutproof',
      `UPDATE commitment_evidence SET txoutproof = set_byte(txoutproof, 90, get_byte(txoutproof, 90) # 1)
                     WHERE txoutproof IS NOT NULL`,
    ],
    ['block_hash', `UPDATE commitment_evidence SET block_hash = ${ZEROS} WHERE block_hash IS NOT NULL`],
    [
      'block_merkle_root',
      `UPDATE commitment_evidence SET block_merkle_root = ${ZEROS} WHERE block_hash IS NOT NULL`,
    ],
  ])('finds a changed %s: %s', async (field, statement) => {
    const undone = new Error('undone')
    const audit = inTransaction(ledger.store.em(), async (tx) => {
      await rows(tx, statement)
      const { disagreements } = await auditEpochs(tx, { limit: 100 })
      expect(disagreements.map((each) => each.field)).toContain(field)
      throw undone
    })
    await expect(audit).rejects.toBe(undone)
  })
})
