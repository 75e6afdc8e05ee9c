// How long a round has waited for each public chain is told until that chain has confirmed its block.
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { openRounds } from '../../../server/domain/rounds/open_rounds.ts'
import { waitingRoundAges } from '../../../server/domain/rounds/waiting_rounds.ts'
import { createLog } from '../../../server/kernel/log.ts'
import { freshLedger } from '../../support/test_ledger.ts'
import { growLong } from '../commitments/committing.ts'
import { BITCOIN, commitBlocks, STELLAR } from '../proofs/seed_commitment.ts'

const ledger = freshLedger()

/** An hour later, so that what waits has an age. */
async function agesInAnHour() {
  const later = await ledger.openSkewed('1 hour')
  return Object.fromEntries(await waitingRoundAges(later.em(), ['bitcoin', 'stellar']))
}

const stampOne = async (text: string) => {
  const rounds = openRounds({
    em: () => ledger.store.em(),
    signer: ledger.signer,
    intervalMs: 1,
    onRecorded: () => undefined,
    log: createLog('silent'),
  })
  const value = createHash('sha256').update(text).digest()
  await rounds.place([{ type: 'sha256', value }], 'somebody')
  await rounds.close()
}

it('counts from the oldest round that the chain has not confirmed', async () => {
  const em = ledger.store.em()
  expect(await agesInAnHour()).toEqual({ bitcoin: 0, stellar: 0 })
  await stampOne('the first')
  const waiting = { bitcoin: expect.closeTo(3_600, -3), stellar: expect.closeTo(3_600, -3) }
  expect(await agesInAnHour()).toEqual(waiting)
  await ledger.finalize()
  expect(await agesInAnHour()).toEqual(waiting)
  await commitBlocks({ em }, BITCOIN)
  expect(await agesInAnHour()).toEqual({ ...waiting, bitcoin: 0 })
  await stampOne('the second')
  expect(await agesInAnHour()).toEqual(waiting)
  await ledger.finalize()
  await commitBlocks({ em }, BITCOIN)
  await commitBlocks({ em }, STELLAR)
  expect(await agesInAnHour()).toEqual({ bitcoin: 0, stellar: 0 })
})

it('does not count what a chain passes over that is named on a long ledger', async () => {
  await stampOne('before the chain was named')
  for (let made = 0; made < 2; ) if ((await ledger.finalize()).outcome === 'finalized') made += 1
  await growLong(ledger.store)
  expect(await agesInAnHour()).toEqual({ bitcoin: 0, stellar: 0 })
  await stampOne('afterwards')
  const waiting = expect.closeTo(3_600, -3)
  expect(await agesInAnHour()).toEqual({ bitcoin: waiting, stellar: waiting })
})
