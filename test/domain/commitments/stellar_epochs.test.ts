// Epochs on their way to Stellar, through the real client: whatever goes wrong in between, each root is there once.
import { Keypair } from '@stellar/stellar-sdk/base'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Chain } from '../../../server/domain/commitments/chains/chain.ts'
import { createStellarChain } from '../../../server/domain/commitments/chains/stellar.ts'
import { type FakeHorizon, openFakeHorizon } from '../../support/chains/horizon.ts'
import { rows } from '../../support/rows.ts'
import { sizeOf } from '../../support/sizes.ts'
import { freshLedger } from '../../support/test_ledger.ts'
import { age, look, nextSlot, storedCommitments } from './committing.ts'

const key = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 5))

const ledger = freshLedger()
let horizon: FakeHorizon
let chain: Chain
beforeEach(async () => {
  horizon = await openFakeHorizon()
  horizon.fund(key.publicKey())
  chain = createStellarChain({
    network: 'testnet',
    horizonUrl: horizon.address,
    secret: key.secret(),
    timeoutMs: 20_000,
  })
})
afterEach(async () => {
  await chain.close()
  await horizon.close()
})

/** A block, whose epoch is due. */
const block = async (): Promise<void> => {
  await ledger.submit({})
  await ledger.finalize()
  await nextSlot(ledger.store)
}

/** Visits until nothing is left to do, on a network that works. */
const settle = async (): Promise<void> => {
  for (let times = 0; times < 12; times += 1) {
    await age(ledger.store, '10 minutes')
    await look(ledger.store, chain)
    horizon.closeLedgers(13)
  }
  await look(ledger.store, chain)
}

const everyRootOnce = async (): Promise<void> => {
  const stored = await storedCommitments(ledger.store)
  expect(stored.map(({ state }) => state)).toEqual(stored.map(() => 'confirmed'))
  expect(horizon.roots().toSorted()).toEqual(stored.map(({ root }) => root).toSorted())
  expect(horizon.included().toSorted()).toEqual(stored.map((each) => each.transaction_hash).toSorted())
}

describe('an epoch', () => {
  it('is in the ledger that its evidence names', async () => {
    await block()
    expect(await look(ledger.store, chain)).toBe('visited')
    horizon.closeLedgers()
    expect(await look(ledger.store, chain)).toBe('visited')
    const [evidence] = await rows<{ ledger: number; at: string }>(
      ledger.store.em(),
      `SELECT c.ledger, iso_time(v.chain_time) AS at FROM commitments c
         JOIN commitment_evidence v ON v.commitment_id = c.id`,
    )
    expect(evidence).toEqual({ ledger: 1_001, at: '2026-01-01T00:00:05.000Z' })
    await everyRootOnce()
  })

  it('whose number somebody else used gets in with another one', async () => {
    await block()
    horizon.treat('drop')
    await look(ledger.store, chain)
    horizon.spendElsewhere(key.publicKey())
    await settle()
    await everyRootOnce()
  })

  it('that one Horizon does not show yet while another one does is not sent a second time', async () => {
    await block()
    await look(ledger.store, chain)
    horizon.lagBehind(10)
    for (let closed = 0; closed < 12; closed += 1) {
      horizon.closeLedgers()
      await look(ledger.store, chain)
    }
    horizon.calm()
    await settle()
    await everyRootOnce()
  })

  it('that the network let time out gets in with a new transaction', async () => {
    await block()
    horizon.treat('drop', 'drop', 'drop')
    await look(ledger.store, chain)
    horizon.closeLedgers(200)
    await settle()
    await everyRootOnce()
  })
})

describe('many epochs', () => {
  const steps = {
    block,
    look: () => look(ledger.store, chain),
    twoServers: () => Promise.all([look(ledger.store, chain, 'one'), look(ledger.store, chain, 'two')]),
    wait: () => age(ledger.store, '4 minutes'),
    ledger: async () => horizon.closeLedgers(),
    manyLedgers: async () => horizon.closeLedgers(150),
    drop: async () => horizon.treat('drop'),
    hangUp: async () => horizon.treat('hang_up'),
    busy: async () => horizon.treat('busy'),
    refuse: async () => horizon.treat({ refuse: 'tx_internal_error' }),
    behind: async () => horizon.lagBehind(10),
    spendElsewhere: async () => horizon.spendElsewhere(key.publicKey()),
  } as const
  const isStep = (name: string): name is keyof typeof steps => Object.hasOwn(steps, name)
  const walk = fc.array(fc.constantFrom(...Object.keys(steps).filter(isStep)), {
    minLength: 5,
    maxLength: 40,
  })

  it('are each committed once, in whatever order things happen and fail', async () => {
    await fc.assert(
      fc.asyncProperty(walk, async (path) => {
        for (const step of path) await steps[step]()
        horizon.calm()
        await settle()
        await everyRootOnce()
      }),
      { numRuns: sizeOf('orders_of_events') },
    )
  }, 240_000)
})
