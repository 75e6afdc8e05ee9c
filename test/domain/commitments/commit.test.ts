// From a closed epoch to a confirmed commitment: what is sent was stored, what is confirmed is told, and nothing is written twice.
import { beforeEach, describe, expect, it } from 'vitest'
import { commitmentHash, jsonHash } from '../../../shared/proof/composites.ts'
import { MODEL_SETTLED, type ModelChain, modelChain } from '../../support/chains/model_chain.ts'
import { row, rows } from '../../support/rows.ts'
import { freshLedger } from '../../support/test_ledger.ts'
import {
  age,
  factKinds,
  look,
  nextSlot,
  type StoredCommitment,
  storedCommitments,
  visit,
} from './committing.ts'

const ledger = freshLedger()
let chain: ModelChain
beforeEach(async () => {
  chain = modelChain()
})

const stored = () => storedCommitments(ledger.store)
const only = async (): Promise<StoredCommitment> => {
  const [commitment, another] = await stored()
  if (commitment === undefined || another !== undefined) throw new Error('There is not one commitment.')
  return commitment
}
const looked = () => look(ledger.store, chain)
/** An epoch over one more block with two items, closed and sent. */
const sendOne = async (): Promise<StoredCommitment> => {
  await ledger.submit({}, {})
  await ledger.finalize()
  await nextSlot(ledger.store)
  expect(await visit(ledger.store, chain)).toBe('visited')
  const last = (await stored()).at(-1)
  if (last === undefined) throw new Error('There is no commitment.')
  return last
}
const blockStates = async () =>
  (await rows<{ state: string }>(ledger.store.em(), 'SELECT state FROM blocks ORDER BY height')).map(
    ({ state }) => state,
  )
const commitmentFacts = async () =>
  (await factKinds(ledger.store)).filter((kind) => kind.startsWith('commitment'))

describe('a commitment', () => {
  it('is closed, signed, stored and sent in one visit', async () => {
    const commitment = await sendOne()
    expect(chain.made).toHaveLength(1)
    expect(commitment).toMatchObject({
      state: 'submitted',
      transaction_hash: chain.made[0]?.hash,
      attempts: 1,
      tried: 1,
      first_height: 0,
      last_height: 1,
    })
    expect(chain.made[0]?.root).toBe(commitment.root)
    expect(await commitmentFacts()).toEqual(['commitment.submitted'])
    expect(await visit(ledger.store, chain)).toBe('nothing_due')
  })

  it('is confirmed with its evidence, its hash, its blocks and its items', async () => {
    const sent = await sendOne()
    chain.mine()
    await looked()
    const commitment = await only()
    const { signing_key_id, network } = await row<{ signing_key_id: Buffer; network: string }>(
      ledger.store.em(),
      'SELECT signing_key_id, network FROM commitments',
    )
    const expected = commitmentHash({
      id: sent.id,
      dataHash: jsonHash('commitment_data', {
        chain: 'bitcoin',
        epoch_root: sent.root,
        network,
        tx: sent.transaction_hash ?? '',
      }),
      ownerId: 'epoch:bitcoin',
      keyId: signing_key_id,
    })
    expect(commitment).toMatchObject({
      state: 'confirmed',
      transaction_hash: sent.transaction_hash,
      commitment_hash: Buffer.from(expected).toString('hex'),
      block_height: 0,
      evidence: true,
    })
    expect(await blockStates()).toEqual(['committed', 'committed'])
    expect((await factKinds(ledger.store)).slice(-4)).toEqual([
      'commitment.submitted',
      'commitment.confirmed',
      'block.committed',
      'block.committed',
    ])
  })

  it('tells what events show, and no claims', async () => {
    await sendOne()
    chain.mine()
    await looked()
    const facts = await rows<{ kind: string; data: Record<string, unknown> }>(
      ledger.store.em(),
      `SELECT kind, data FROM facts WHERE kind IN ('commitment.confirmed', 'block.committed') ORDER BY id`,
    )
    const commitment = await only()
    expect(facts[0]?.data).toEqual({
      id: commitment.id,
      chain: 'bitcoin',
      network: 'regtest',
      state: 'confirmed',
      epoch_id: expect.any(String),
      epoch_root: commitment.root,
      transaction_hash: commitment.transaction_hash,
      commitment_hash: commitment.commitment_hash,
      ledger: null,
      block_height: 0,
      confirmed_at: expect.stringMatching(/Z$/),
      attempts: 1,
      error: null,
    })
    expect(facts[2]?.data).toMatchObject({ height: 1, state: 'committed', item_count: 2 })
  })

  it('is watched until it is settled, and then left alone', async () => {
    await sendOne()
    chain.mine()
    await looked()
    expect(await only()).toMatchObject({ state: 'confirmed', waits: true })
    chain.mine(MODEL_SETTLED - 1)
    await looked()
    expect(await only()).toMatchObject({ state: 'confirmed', waits: false })
    expect(await commitmentFacts()).toEqual(['commitment.submitted', 'commitment.confirmed'])
  })

  it('of a second chain commits no block again', async () => {
    await sendOne()
    chain.mine()
    await looked()
    const at = () => rows(ledger.store.em(), 'SELECT id, committed_at FROM blocks ORDER BY id')
    const before = await at()
    const other = modelChain('stellar', 'testnet')
    await visit(ledger.store, other)
    other.mine()
    await look(ledger.store, other)
    expect((await stored()).map(({ chain: name, state }) => [name, state])).toEqual([
      ['bitcoin', 'confirmed'],
      ['stellar', 'confirmed'],
    ])
    expect(await at()).toEqual(before)
    expect((await factKinds(ledger.store)).filter((kind) => kind === 'block.committed')).toHaveLength(2)
    // Once more, after which a chain that never reorganises is not looked at again.
    await look(ledger.store, other)
    expect((await stored())[1]).toMatchObject({ waits: false })
  })

  it('waits several at a time', async () => {
    await sendOne()
    await sendOne()
    await sendOne()
    expect((await stored()).map(({ state }) => state)).toEqual(['submitted', 'submitted', 'submitted'])
    chain.mine()
    await looked()
    expect((await stored()).map(({ state }) => state)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    expect(chain.included()).toEqual((await stored()).map(({ root }) => root))
  })
})

describe('when the chain does not play along, a commitment', () => {
  it('that is refused is failed, says why, and is tried again with the same bytes', async () => {
    chain.refuse('no funds')
    await nextSlot(ledger.store)
    await visit(ledger.store, chain)
    expect(await only()).toMatchObject({ state: 'failed', error: 'no funds', tried: 0, attempts: 0 })
    await looked()
    expect(await commitmentFacts()).toEqual(['commitment.failed'])
    chain.refuse(null)
    await looked()
    expect(await only()).toMatchObject({ state: 'submitted', error: null, tried: 1 })
    chain.drop()
    chain.refuse('fee too low')
    await age(ledger.store, '1 minute')
    await looked()
    expect(await only()).toMatchObject({ state: 'failed', error: 'fee too low', tried: 1, attempts: 2 })
    chain.refuse(null)
    await looked()
    expect(await only()).toMatchObject({ state: 'submitted', tried: 1, attempts: 3 })
    expect(new Set(chain.sent).size).toBe(1)
    expect(await commitmentFacts()).toEqual([
      'commitment.failed',
      'commitment.submitted',
      'commitment.failed',
      'commitment.submitted',
    ])
  })

  it('whose chain is away stays as it is and says so', async () => {
    await sendOne()
    chain.away(true)
    expect(await looked()).toBe('unreachable')
    expect(await only()).toMatchObject({ state: 'submitted', error: null })
    chain.away(false)
    chain.fail({ call: 'locate', when: 'before' })
    expect(await looked()).toBe('unreachable')
    expect(await only()).toMatchObject({ state: 'submitted', error: 'the chain could not be reached' })
    chain.mine()
    await looked()
    expect(await only()).toMatchObject({ state: 'confirmed', error: null })
  })

  it('whose coin is taken before its transaction ever arrived is prepared afresh, and the old one is kept', async () => {
    chain.fail({ call: 'broadcast', when: 'before' })
    await ledger.submit({})
    await ledger.finalize()
    await nextSlot(ledger.store)
    expect(await visit(ledger.store, chain)).toBe('unreachable')
    const [unsent] = chain.made
    chain.takeCoin(unsent?.hash ?? '')
    await looked()
    expect(chain.made.map(({ coin }) => coin)).toEqual([1, 2])
    expect(chain.sent).toEqual([chain.made[1]?.hash])
    expect(await only()).toMatchObject({
      state: 'submitted',
      tried: 2,
      transaction_hash: chain.made[1]?.hash,
    })
    // The block that spent it is reorganised out: two could be sent now, and one is.
    chain.reorganise(1)
    chain.mineEmpty(2)
    await age(ledger.store, '1 minute')
    await looked()
    chain.mine()
    await looked()
    expect(chain.included()).toHaveLength(1)
    expect(await only()).toMatchObject({ state: 'confirmed', transaction_hash: chain.made[1]?.hash })
    expect(chain.sent).not.toContain(unsent?.hash)
  })

  it('whose coin is gone though its chain once took the transaction waits before it pays again, but not for ever', async () => {
    const { transaction_hash } = await sendOne()
    chain.forgetWallet()
    chain.takeCoin(transaction_hash ?? '')
    await age(ledger.store, '4 minutes')
    await looked()
    expect(chain.made).toHaveLength(1)
    expect(await only()).toMatchObject({ state: 'failed', error: 'the coin is spent' })
    await age(ledger.store, '2 minutes')
    await looked()
    expect(chain.made.map(({ coin }) => coin)).toEqual([1, 2])
    chain.mine()
    await looked()
    expect(await only()).toMatchObject({ state: 'confirmed', error: null, tried: 2 })
  })

  it('that was dropped is sent again, the same bytes', async () => {
    const { transaction_hash } = await sendOne()
    chain.drop()
    await looked()
    expect(chain.sent).toHaveLength(1)
    await age(ledger.store, '1 minute')
    await looked()
    expect(chain.sent).toEqual([transaction_hash, transaction_hash])
    expect(chain.made).toHaveLength(1)
  })

  it('that is stuck is replaced by one that spends the same, and only then', async () => {
    await sendOne()
    await age(ledger.store, '4 minutes')
    await looked()
    expect(chain.made).toHaveLength(1)
    await age(ledger.store, '2 minutes')
    await looked()
    expect(chain.made.map(({ coin }) => coin)).toEqual([1, 1])
    expect(await only()).toMatchObject({
      state: 'submitted',
      tried: 2,
      transaction_hash: chain.made[1]?.hash,
    })
    chain.mine()
    await looked()
    expect(await only()).toMatchObject({ state: 'confirmed', transaction_hash: chain.made[1]?.hash })
    expect(chain.included()).toHaveLength(1)
  })

  it('whose old transaction is included after all is confirmed by that one', async () => {
    await sendOne()
    await age(ledger.store, '6 minutes')
    // The replacement is stored, and never arrives.
    chain.fail({ call: 'broadcast', when: 'before' })
    await looked()
    expect(chain.made).toHaveLength(2)
    chain.mine()
    await looked()
    expect(await only()).toMatchObject({
      state: 'confirmed',
      transaction_hash: chain.made[0]?.hash,
      tried: 2,
    })
  })

  it('whose transaction is dead gets one with another input', async () => {
    const { transaction_hash } = await sendOne()
    chain.spendElsewhere(transaction_hash ?? '')
    await looked()
    expect(chain.made.map(({ coin }) => coin)).toEqual([1, 2])
    chain.mine()
    await looked()
    expect(await only()).toMatchObject({ state: 'confirmed', transaction_hash: chain.made[1]?.hash })
  })

  it('that a reorganisation takes out goes back to submitted, and is confirmed again with new evidence', async () => {
    await sendOne()
    chain.mine(2)
    await looked()
    const hash = () =>
      row<{ hash: string }>(
        ledger.store.em(),
        `SELECT encode(block_hash, 'hex') AS hash FROM commitment_evidence`,
      )
    const before = await hash()
    chain.reorganise(2)
    await looked()
    expect(await only()).toMatchObject({
      state: 'submitted',
      evidence: false,
      block_height: null,
      commitment_hash: null,
    })
    expect(await blockStates()).toEqual(['committed', 'committed'])
    chain.mine()
    await looked()
    expect(await only()).toMatchObject({ state: 'confirmed', evidence: true, tried: 1 })
    expect(await hash()).not.toEqual(before)
    expect(await commitmentFacts()).toEqual([
      'commitment.submitted',
      'commitment.confirmed',
      'commitment.submitted',
      'commitment.confirmed',
    ])
    expect((await factKinds(ledger.store)).filter((kind) => kind === 'block.committed')).toHaveLength(2)
  })

  it('that moved to another block unseen gets the evidence of that one', async () => {
    await sendOne()
    chain.mine()
    await looked()
    chain.reorganise(1)
    chain.mine()
    await looked()
    expect(await only()).toMatchObject({ state: 'confirmed', evidence: true })
    expect(await commitmentFacts()).toEqual([
      'commitment.submitted',
      'commitment.confirmed',
      'commitment.confirmed',
    ])
  })

  it('that a reorganisation lost is sent again, the same bytes', async () => {
    await sendOne()
    chain.mine()
    await looked()
    chain.reorganise(1, true)
    await age(ledger.store, '1 minute')
    await looked()
    chain.mine()
    await looked()
    expect(await only()).toMatchObject({ state: 'confirmed', tried: 1 })
    expect(new Set(chain.sent).size).toBe(1)
  })
})
