// A server that stops lets what it tells a chain be answered first, for a moment, and then cuts it off.
import { pino } from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { type Chain, ChainUnreachable } from '../../server/domain/commitments/chains/chain.ts'
import { noteTrouble } from '../../server/domain/commitments/commit_epochs.ts'
import { startCommitting } from '../../server/jobs/commit_epochs.ts'
import { nextSlot, storedCommitments } from '../domain/commitments/committing.ts'
import { modelChain } from '../support/chains/model_chain.ts'
import { rows } from '../support/rows.ts'
import { freshLedger } from '../support/test_ledger.ts'

const SOON = { timeout: 60_000, interval: 20 }

const ledger = freshLedger()
beforeEach(async () => {
  await ledger.submit({})
  await ledger.finalize()
  await nextSlot(ledger.store)
})

/** Takes a transaction only once it is let, unless it is closed before. */
function slowChain() {
  const chain = modelChain()
  const gate = Promise.withResolvers<void>()
  gate.promise.catch(() => undefined)
  let asked = 0
  const slow: Chain = {
    ...chain,
    broadcast: async (prepared) => {
      asked += 1
      await gate.promise
      return chain.broadcast(prepared)
    },
    close: async () => gate.reject(new ChainUnreachable('closed')),
  }
  return { slow, answer: () => gate.resolve(), asked: () => asked }
}

const start = (chain: Chain) =>
  startCommitting({
    em: ledger.store.em,
    chains: [{ chain, intervalMs: 1_000 }],
    log: pino({ level: 'silent' }),
    announceFacts: () => undefined,
  })

it('takes the answer of a chain that is about to give it', { timeout: 120_000 }, async () => {
  const { slow, answer, asked } = slowChain()
  const committing = start(slow)
  await expect.poll(asked, SOON).toBe(1)
  const closing = committing.close()
  setImmediate(answer)
  await closing
  expect(await storedCommitments(ledger.store)).toMatchObject([
    { state: 'submitted', error: null, attempts: 1, tried: 1 },
  ])
})

it('does not wait for one that hangs', { timeout: 120_000 }, async () => {
  const { slow, asked } = slowChain()
  const committing = start(slow)
  await expect.poll(asked, SOON).toBe(1)
  await committing.close()
  expect(await storedCommitments(ledger.store)).toMatchObject([{ state: 'pending', attempts: 0, tried: 1 }])
})

it('begins without the troubles that ended while it was away', { timeout: 120_000 }, async () => {
  await noteTrouble(ledger.store.em(), 'bitcoin', 'credentials')
  const committing = start(modelChain())
  const troubles = () => rows(ledger.store.em(), 'SELECT * FROM chain_troubles')
  await expect.poll(async () => (await troubles()).length, SOON).toBe(0)
  await committing.close()
})
