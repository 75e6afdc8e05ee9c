// A server starts only on a ledger whose head verifies, and the refusal says what is wrong and what to do.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyHead } from '../../../server/domain/ledger/check_start.ts'
import { rotateKey } from '../../../server/domain/ledger/signing_key.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { change, type rows } from '../../support/rows.ts'
import { dropGuards, flipBit } from './tamper.ts'

describe('a sound head verifies', () => {
  let ledger: TestLedger
  beforeAll(async () => {
    ledger = await openTestLedger()
  })
  afterAll(() => ledger.close())
  const verified = () => verifyHead(ledger.store.em())

  it('when it is genesis, an ordinary block, or one with a key event of either kind', async () => {
    const { store, masterKey } = ledger
    await verified()
    await ledger.submit({})
    await ledger.finalize()
    await verified()
    for (const emergency of [false, true]) {
      await rotateKey({ em: store.em(), masterKey }, { emergency })
      await verified()
      await ledger.finalize()
      await verified()
      await ledger.finalize()
      await verified()
    }
  })
})

describe('a head that does not verify stops the start', () => {
  let ledger: TestLedger
  beforeAll(async () => {
    ledger = await openTestLedger()
    await ledger.finalize()
    await ledger.submit({})
    await ledger.finalize()
    await dropGuards(ledger.store.em())
  })
  afterAll(() => ledger.close())

  const refusalAfter = async (
    tamper: (tx: Parameters<typeof rows>[0]) => Promise<unknown>,
  ): Promise<string> => {
    let said = 'nothing'
    await inTransaction(ledger.store.em(), async (tx) => {
      await tamper(tx)
      said = await verifyHead(tx).then(
        () => 'verified',
        (error: Error) => error.message,
      )
      throw new Error('undone')
    }).catch(() => undefined)
    return said
  }

  it.each([
    ['previous_block_id', 'text'],
    ['previous_block_hash', 'bytea'],
    ['block_hash', 'bytea'],
    ['merkle_root', 'bytea'],
    ['metadata', 'text'],
    ['metadata_hash', 'bytea'],
    ['signing_key_id', 'bytea'],
    ['signature', 'bytea'],
    ['finalized_at', 'timestamp with time zone'],
  ])('a wrong bit in %s', async (name, type) => {
    const message = await refusalAfter((tx) =>
      flipBit(tx, { table: 'blocks', name, type }, { where: 'height = 2', end: 'last' }),
    )
    expect(message).toMatch(/^The head of the ledger does not verify: block 2: \w+ /)
    expect(message).toContain('npm run audit')
  })

  it('a predecessor that is another block', async () => {
    const message = await refusalAfter((tx) =>
      flipBit(
        tx,
        { table: 'blocks', name: 'block_hash', type: 'bytea' },
        { where: 'height = 1', end: 'last' },
      ),
    )
    expect(message).toContain('block 2: previous_block_hash')
  })

  it('a predecessor that is gone', async () => {
    expect(await refusalAfter((tx) => change(tx, 'DELETE FROM blocks WHERE height = 1'))).toContain(
      'block 2: height',
    )
  })

  it('a key that was exchanged', async () => {
    const message = await refusalAfter((tx) =>
      change(
        tx,
        `UPDATE signing_keys SET public_key = next.public_key FROM signing_keys next
                   WHERE signing_keys.sequence = 0 AND next.sequence = 1`,
      ),
    )
    expect(message).toContain('signing_keys.key_id')
  })

  it('no block at all', async () => {
    expect(await refusalAfter((tx) => change(tx, 'DELETE FROM blocks'))).toContain('not even genesis')
  })
})
