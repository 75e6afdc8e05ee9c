// The clock went ahead an hour, things were written down by it, and it came back: nobody waits for the hour to pass.
import { beforeEach, expect, it } from 'vitest'
import { isDue } from '../../../server/devchain/mine_block.ts'
import { LEASE_MS, takeLease } from '../../../server/domain/commitments/series.ts'
import { claimSources } from '../../../server/domain/entropy/capture_entropy.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { type ModelChain, modelChain } from '../../support/chains/model_chain.ts'
import { rows } from '../../support/rows.ts'
import { freshLedger } from '../../support/test_ledger.ts'
import { nextSlot, storedCommitments, visit } from './committing.ts'

const ledger = freshLedger()
let ahead: Store
let chain: ModelChain
beforeEach(async () => {
  ahead = await ledger.openSkewed('1 hour')
  chain = modelChain()
})

const states = async () => (await storedCommitments(ledger.store)).map(({ state }) => state)

it('a commitment that was sent under the clock ahead is seen to at once, and only once', async () => {
  await ledger.submit({})
  await ledger.finalize()
  await nextSlot(ledger.store)
  expect(await visit(ahead, chain)).toBe('visited')
  expect(await states()).toEqual(['submitted'])
  chain.mine()
  expect(await visit(ledger.store, chain, 'another server')).toBe('visited')
  expect(await states()).toEqual(['confirmed'])
  expect(chain.made).toHaveLength(1)
  const waits = await rows(
    ledger.store.em(),
    `SELECT 1 FROM commitments WHERE look_at > pharos_now() + interval '10 minutes'`,
  )
  expect(waits).toEqual([])
})

it('what was sent counts as sent just now, so a chain that forgot it hears of it again in time', async () => {
  await ledger.finalize()
  await nextSlot(ledger.store)
  await visit(ahead, chain)
  await visit(ledger.store, chain)
  const future = await rows(
    ledger.store.em(),
    'SELECT 1 FROM commitment_transactions WHERE sent_at > pharos_now()',
  )
  expect(future).toEqual([])
})

it('a lease that a server took under it, and died with, holds nobody up', async () => {
  const series = { chain: chain.name, network: await chain.network() }
  expect(await takeLease(ahead.em(), series, 'died')).toBe(true)
  expect(await takeLease(ledger.store.em(), series, 'lives')).toBe(true)
  // One that is just as long as a lease is is somebody's.
  expect(await takeLease(ledger.store.em(), series, 'third')).toBe(false)
  expect(LEASE_MS).toBeLessThan(3_600_000)
})

it('a transaction that came to the pool of the development chain under it is mined', async () => {
  await rows(
    ahead.em(),
    `INSERT INTO development_transactions (txid, raw, coinbase, fee, weight, standing)
     VALUES (sha256('x'), '\\x00', false, 0, 1, 'pool')`,
  )
  expect(await isDue(ahead.em(), 60_000)).toBe(false)
  expect(await isDue(ledger.store.em(), 60_000)).toBe(true)
})

it('public sources are asked again, once a minute', async () => {
  const em = () => ledger.store.em()
  const minute = 29_000_000
  expect(await claimSources(em(), ['entropy_nist'], minute + 60)).toEqual(new Set(['entropy_nist']))
  expect(await claimSources(em(), ['entropy_nist'], minute)).toEqual(new Set(['entropy_nist']))
  expect(await claimSources(em(), ['entropy_nist'], minute)).toEqual(new Set())
  expect(await claimSources(em(), ['entropy_nist'], minute + 1)).toEqual(new Set(['entropy_nist']))
  // A slot that has just passed stays somebody else's.
  expect(await claimSources(em(), ['entropy_nist'], minute)).toEqual(new Set())
})
