// How long items have waited for a block, also while the times in their ids are later than now.
import { beforeEach, expect, it } from 'vitest'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { finalizeBlock } from '../../../server/domain/ledger/finalize_block.ts'
import { draftItem } from '../../../server/domain/ledger/item.ts'
import { waitingItems, watchWaiting } from '../../../server/domain/ledger/standing.ts'
import { submitItems } from '../../../server/domain/ledger/submit_items.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { claimsOf } from '../../support/ledger.ts'
import { freshLedger } from '../../support/test_ledger.ts'

const ledger = freshLedger()
/** The same database under a clock that is an hour ahead. */
let ahead: Store
/** Seconds by the clock of the process that looks. */
let passed: number
let ageOf: ReturnType<typeof watchWaiting>
beforeEach(async () => {
  ahead = await ledger.openSkewed('1 hour')
  passed = 1
  ageOf = watchWaiting(() => passed * 1_000)
})

const age = async (store = ledger.store): Promise<number> => ageOf(await waitingItems(store.em()))
const submit = (store: Store) => {
  const { signer, userId: creatorId, teamId } = ledger
  const draft = draftItem({ claims: submittedClaims(claimsOf('a file')), creatorId, teamId })
  return submitItems({ em: store.em(), signer }, [draft])
}
const finalize = (store: Store) => finalizeBlock({ ...ledger, em: store.em() }, { intervalMs: 1 })

it('is that of the oldest item by the clock, and 0 when none waits', async () => {
  expect(await age()).toBe(0)
  await submit(ledger.store)
  expect(await age(ahead)).toBeCloseTo(3_600, -2)
  await finalize(ledger.store)
  expect(await age(ahead)).toBe(0)
})

it('is what this process has seen of it, while the chain is ahead of the clock', async () => {
  await finalize(ahead)
  for (const store of [ahead, ledger.store]) {
    await submit(store)
    await age()
    passed += 40
    expect(await age()).toBe(40)
    await finalize(ledger.store)
    expect(await age()).toBe(0)
  }
})

it('is that of an item with a time to come, too, although later ones get their blocks', async () => {
  await submit(ahead)
  for (const seconds of [0, 60, 120]) {
    await submit(ledger.store)
    expect(await age()).toBeCloseTo(seconds, -1)
    await finalize(ledger.store)
    passed += 60
  }
  await finalize(ahead)
  expect(await age()).toBe(0)
})
