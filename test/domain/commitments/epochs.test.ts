// Every block is in exactly one epoch of each series, epochs follow one another without a gap, and there is one per slot.
import { describe, expect, it } from 'vitest'
import { closeEpoch, epochDue } from '../../../server/domain/commitments/commit_epochs.ts'
import { merkleRoot } from '../../../shared/proof/merkle.ts'
import { change, rows } from '../../support/rows.ts'
import { freshLedger } from '../../support/test_ledger.ts'
import { INTERVAL_MS, nextSlot, storedCommitments } from './committing.ts'

const ledger = freshLedger()

type Order = Parameters<typeof closeEpoch>[1]

const bitcoin: Order = { chain: 'bitcoin', network: 'regtest', intervalMs: INTERVAL_MS }
const stellar: Order = { chain: 'stellar', network: 'testnet', intervalMs: INTERVAL_MS }
const close = (order = bitcoin) => closeEpoch(ledger.store.em(), order)
const blocks = async (count: number) => {
  for (let made = 0; made < count; ) if ((await ledger.finalize()).outcome === 'finalized') made += 1
}
/** As if its transaction had been taken. */
const sendAll = () => change(ledger.store.em(), `UPDATE commitments SET state = 'submitted'`)
const heights = async (chain = 'bitcoin') =>
  (await storedCommitments(ledger.store))
    .filter((commitment) => commitment.chain === chain)
    .map(({ sequence, first_height, last_height, block_count }) => [
      sequence,
      first_height,
      last_height,
      block_count,
    ])

describe('epochs', () => {
  it('begin at genesis, when the slot of genesis has passed', async () => {
    await blocks(2)
    expect(await close()).toBeUndefined()
    await nextSlot(ledger.store)
    expect(await close()).toMatchObject({ sequence: 0, blocks: 3 })
    expect(await heights()).toEqual([[0, 0, 2, 3]])
  })

  it('have the root of the tree over their block hashes, in the order of the ids', async () => {
    await blocks(6)
    await nextSlot(ledger.store)
    const closed = await close()
    const found = await rows<{ block_hash: Buffer }>(
      ledger.store.em(),
      'SELECT block_hash FROM blocks ORDER BY id COLLATE "C"',
    )
    expect(found).toHaveLength(7)
    expect(closed?.root).toEqual(Buffer.from(merkleRoot(found.map(({ block_hash }) => block_hash))))
  })

  it('are closed once a slot, late or not, and take everything that gathered', async () => {
    await nextSlot(ledger.store)
    await close()
    await sendAll()
    await blocks(3)
    expect(await close()).toBeUndefined()
    for (let missed = 0; missed < 4; missed += 1) await nextSlot(ledger.store)
    expect(await close()).toMatchObject({ sequence: 1, blocks: 3 })
    await sendAll()
    await blocks(1)
    expect(await close()).toBeUndefined()
    await nextSlot(ledger.store)
    await close()
    expect(await heights()).toEqual([
      [0, 0, 0, 1],
      [1, 1, 3, 3],
      [2, 4, 4, 1],
    ])
  })

  it('are never empty', async () => {
    await nextSlot(ledger.store)
    await close()
    await sendAll()
    await nextSlot(ledger.store)
    expect(await epochDue(ledger.store.em(), bitcoin)).toBe(false)
    expect(await close()).toBeUndefined()
    expect(await heights()).toHaveLength(1)
  })

  it('wait for the one before to be on its way, so an outage ends with one of them', async () => {
    await nextSlot(ledger.store)
    await close()
    for (let slot = 0; slot < 3; slot += 1) {
      await blocks(2)
      await nextSlot(ledger.store)
      expect(await close()).toBeUndefined()
    }
    await change(ledger.store.em(), `UPDATE commitments SET state = 'failed'`)
    expect(await close()).toBeUndefined()
    await sendAll()
    expect(await close()).toMatchObject({ sequence: 1, blocks: 6 })
  })

  it('of one chain do not know those of another', async () => {
    await nextSlot(ledger.store)
    await close()
    await blocks(2)
    await nextSlot(ledger.store)
    expect(await close(stellar)).toMatchObject({ sequence: 0, blocks: 3 })
    expect(await close()).toBeUndefined()
    await change(ledger.store.em(), `UPDATE commitments SET state = 'submitted' WHERE chain = 'bitcoin'`)
    expect(await close()).toMatchObject({ sequence: 1, blocks: 2 })
    // Another network is another chain.
    expect(await close({ ...bitcoin, network: 'mainnet' })).toMatchObject({ sequence: 0, blocks: 3 })
  })

  it('come with their commitment, pending and due', async () => {
    await nextSlot(ledger.store)
    await close()
    expect(await storedCommitments(ledger.store)).toMatchObject([
      { state: 'pending', attempts: 0, error: null, transaction_hash: null, tried: 0, waits: true },
    ])
  })

  it('are closed by one of many servers that try at once', async () => {
    await nextSlot(ledger.store)
    for (let round = 0; round < 8; round += 1) {
      const closed = await Promise.all(Array.from({ length: 6 }, () => close()))
      expect(closed.filter((each) => each !== undefined)).toHaveLength(1)
      await sendAll()
      await blocks(1 + (round % 3))
      await nextSlot(ledger.store)
    }
    const found = await heights()
    let next = 0
    for (const [at, [sequence, first = 0, last = 0, count]] of found.entries()) {
      expect([sequence, first, count]).toEqual([at, next, last - first + 1])
      next = last + 1
    }
    expect(found).toHaveLength(8)
  })

  it('are made while blocks are made', async () => {
    await nextSlot(ledger.store)
    const order = { ...bitcoin, intervalMs: 1 }
    let going = true
    const finalizing = blocks(40).finally(() => {
      going = false
    })
    const closeAndSend = async () => {
      await closeEpoch(ledger.store.em(), order)
      await sendAll()
    }
    while (going) await closeAndSend()
    await finalizing
    await expect
      .poll(async () => {
        await closeAndSend()
        return (await heights()).at(-1)?.[2]
      })
      .toBe(40)
    let next = 0
    for (const [, first, last = 0] of await heights()) {
      expect(first).toBe(next)
      next = last + 1
    }
  })
})
