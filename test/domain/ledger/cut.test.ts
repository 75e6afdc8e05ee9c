// Which items a block takes: everything visible up to its own millisecond, each once, whatever clocks and commits do.

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditLedger } from '../../../server/domain/ledger/audit/audit_ledger.ts'
import { deleteItem } from '../../../server/domain/ledger/change_item.ts'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { finalizeBlock } from '../../../server/domain/ledger/finalize_block.ts'
import { draftItem } from '../../../server/domain/ledger/item_draft.ts'
import { lockLedger } from '../../../server/domain/ledger/ledger_lock.ts'
import { submitItems } from '../../../server/domain/ledger/submit_items.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { ulidTime } from '../../../shared/proof/ulid.ts'
import { uuid7Time } from '../../../shared/proof/uuid7.ts'
import { claimsOf, openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { redactItem, unredactItem } from '../../support/redaction.ts'
import { row, rows } from '../../support/rows.ts'
import { type Held, hold, somebodyWaits } from './until.ts'

let ledger: TestLedger
beforeEach(async () => {
  ledger = await openTestLedger()
})
afterEach(async () => {
  try {
    expect((await auditLedger({ em: ledger.store.em() })).disagreements).toEqual([])
  } finally {
    await ledger.close()
  }
})

const HOUR = 3_600_000
const claims = claimsOf('a file')

const submitThrough = async (em: ReturnType<Store['em']>): Promise<string> => {
  const draft = draftItem({
    claims: submittedClaims(claims),
    creatorId: ledger.userId,
    teamId: ledger.teamId,
  })
  const [outcome] = await submitItems({ em, signer: ledger.signer }, [draft])
  if (outcome === undefined || 'refusal' in outcome) throw new Error('not submitted')
  return outcome.item.id
}
const finalizeThrough = (store: Store, order: { intervalMs: number; after?: string } = { intervalMs: 1 }) =>
  finalizeBlock({ em: store.em(), signer: ledger.signer }, order)

const heightOf = async (id: string): Promise<number | undefined> =>
  (
    await rows<{ height: number }>(
      ledger.store.em(),
      'SELECT height FROM items JOIN blocks ON blocks.id = block_id WHERE items.id = $1',
      [id],
    )
  )[0]?.height
const headId = async () =>
  (await row<{ id: string }>(ledger.store.em(), 'SELECT id FROM blocks ORDER BY height DESC LIMIT 1')).id
const heightNow = async () =>
  (await row<{ height: number }>(ledger.store.em(), 'SELECT max(height) AS height FROM blocks')).height

describe('an item', () => {
  it('whose transaction commits late goes into the next block, though its id is older', async () => {
    const { store } = ledger
    const late = await hold(store.em(), (tx) => submitThrough(tx))
    const prompt = await submitThrough(store.em())
    const made = await ledger.finalize()
    expect([await heightOf(prompt), await heightOf(late.result)]).toEqual([1, undefined])
    await late.commit()
    await ledger.finalize()
    expect(await heightOf(late.result)).toBe(2)
    expect(ulidTime(late.result)).toBeLessThanOrEqual(uuid7Time('id' in made ? made.id : '') ?? 0)
  })

  it('whose transaction is rolled back is in no block', async () => {
    const never = await hold(ledger.store.em(), (tx) => submitThrough(tx))
    await ledger.finalize()
    await never.rollBack()
    expect(await ledger.finalize()).toMatchObject({ leaves: 0 })
  })

  it('from a clock an hour ahead waits until a block is as late as it is', async () => {
    const ahead = await ledger.openSkewed('1 hour')
    const early = await submitThrough(ahead.em())
    const usual = await submitThrough(ledger.store.em())
    await ledger.finalize()
    expect([await heightOf(usual), await heightOf(early)]).toEqual([1, undefined])
    await finalizeThrough(ahead)
    expect(await heightOf(early)).toBe(2)
  })

  it('is never older than the head it saw, when the clock goes back an hour', async () => {
    const behind = await ledger.openSkewed('-1 hour')
    await ledger.finalize()
    const id = await submitThrough(behind.em())
    expect(ulidTime(id)).toBe(uuid7Time(await headId()))
    await finalizeThrough(behind)
    expect(await heightOf(id)).toBe(2)
  })

  it('redacted before the cut gets its leaf, and stays redacted', async () => {
    const { store, userId } = ledger
    const id = await submitThrough(store.em())
    await redactItem({ em: store.em() }, { id, userId })
    expect(await ledger.finalize()).toMatchObject({ leaves: 1 })
    expect(
      await row(store.em(), 'SELECT state, committed_at IS NOT NULL AS dated FROM items WHERE id = $1', [id]),
    ).toEqual({
      state: 'redacted',
      dated: true,
    })
  })
})

describe('the chain', () => {
  it('goes on in order through a clock that is an hour ahead and back', async () => {
    const ahead = await ledger.openSkewed('1 hour')
    const behind = await ledger.openSkewed('-1 hour')
    for (const store of [ledger.store, ahead, ledger.store, behind, ahead, ledger.store]) {
      await submitThrough(store.em())
      expect(await finalizeThrough(store)).toMatchObject({ outcome: 'finalized' })
    }
    const ids = await rows<{ id: string }>(ledger.store.em(), 'SELECT id FROM blocks ORDER BY height')
    expect(ids.map(({ id }) => id)).toEqual(ids.map(({ id }) => id).toSorted())
    expect(new Set(ids.map(({ id }) => uuid7Time(id))).size).toBe(7)
  })

  it('has each item in exactly one block, between its witness and its block in time, in any order of events', async () => {
    const stores = [ledger.store, await ledger.openSkewed('1 hour'), await ledger.openSkewed('-1 hour')]
    const submitted: string[] = []
    const which = fc.nat({ max: stores.length - 1 })
    const event = fc.oneof(
      fc.record({ kind: fc.constant('submit' as const), which }),
      fc.record({ kind: fc.constant('hold' as const), which }),
      fc.record({ kind: fc.constant('release' as const), which: fc.nat({ max: 3 }) }),
      fc.record({ kind: fc.constant('finalize' as const), which }),
    )
    const [events] = fc.sample(fc.array(event, { minLength: 80, maxLength: 80 }), 1)
    const open: Held<string>[] = []
    for (const { kind, which: at } of events ?? []) {
      const store = stores[at] ?? ledger.store
      if (kind === 'submit') submitted.push(await submitThrough(store.em()))
      else if (kind === 'finalize')
        expect(await finalizeThrough(store)).toMatchObject({ outcome: 'finalized' })
      else if (kind === 'hold' && open.length < 3)
        open.push(await hold(store.em(), (tx) => submitThrough(tx)))
      else for (const held of open.splice(at, 1)) await held.commit().then(() => submitted.push(held.result))
    }
    for (const held of open) await held.commit().then(() => submitted.push(held.result))
    for (const store of stores) await finalizeThrough(store)
    await finalizeThrough(stores[1] ?? ledger.store)
    const placed = await rows<{ id: string; block_id: string; witness_id: string }>(
      ledger.store.em(),
      `SELECT items.id, items.block_id, witness.id AS witness_id FROM items
         JOIN blocks witness ON encode(witness.block_hash, 'hex') = items.metadata::json->'witnesses'->>'block'
        WHERE block_id IS NOT NULL`,
    )
    expect(placed.map(({ id }) => id).toSorted()).toEqual(submitted.toSorted())
    for (const { id, block_id, witness_id } of placed) {
      expect(ulidTime(id)).toBeGreaterThanOrEqual(uuid7Time(witness_id) ?? Infinity)
      expect(ulidTime(id)).toBeLessThanOrEqual(uuid7Time(block_id) ?? -1)
    }
  })
})

describe('a block', () => {
  /** A store whose clock stands in the middle of a slot, so many hours from now. */
  const inSlot = async (hours: number) =>
    ledger.openSkewed(`${hours * HOUR + HOUR / 2 - (Date.now() % HOUR)} milliseconds`)

  it('is made once per slot, and once when many slots were missed', async () => {
    const soon = await inSlot(2)
    expect(await finalizeThrough(soon, { intervalMs: HOUR })).toMatchObject({
      outcome: 'finalized',
      height: 1,
    })
    expect(await finalizeThrough(soon, { intervalMs: HOUR })).toEqual({ outcome: 'not_due' })
    const late = await inSlot(12)
    expect(await finalizeThrough(late, { intervalMs: HOUR })).toMatchObject({
      outcome: 'finalized',
      height: 2,
    })
    for (let again = 0; again < 3; again += 1)
      expect(await finalizeThrough(late, { intervalMs: HOUR })).toEqual({ outcome: 'not_due' })
    expect(await heightNow()).toBe(2)
  })

  it('is made also when there is nothing to put into it', async () => {
    expect(await ledger.finalize()).toMatchObject({ outcome: 'finalized', leaves: 0 })
  })

  it('is made only while the head is the one that whoever ordered it had seen', async () => {
    const seen = await headId()
    const orders = await Promise.all(
      Array.from({ length: 4 }, () => finalizeThrough(ledger.store, { intervalMs: 1, after: seen })),
    )
    expect(orders.filter(({ outcome }) => outcome === 'finalized')).toHaveLength(1)
    expect(await finalizeThrough(ledger.store, { intervalMs: 1, after: seen })).toEqual({
      outcome: 'not_due',
    })
    expect(await heightNow()).toBe(1)
  })

  it('is left to whoever is making one already', async () => {
    const busy = await hold(ledger.store.em(), lockLedger)
    expect(await ledger.finalize()).toEqual({ outcome: 'busy' })
    await busy.rollBack()
    expect(await ledger.finalize()).toMatchObject({ outcome: 'finalized' })
  })
})

describe('a change that is under way when the block is made', () => {
  const of = (id: string) => ({ id, userId: ledger.userId })
  const stateOf = async (id: string) =>
    rows(ledger.store.em(), 'SELECT state, leaf_index, claims IS NULL AS erased FROM items WHERE id = $1', [
      id,
    ])
  const buried = async (id: string) =>
    rows(
      ledger.store.em(),
      'SELECT leaf_index, block_id IS NOT NULL AS placed FROM item_tombstones WHERE id = $1',
      [id],
    )

  /** The verb has locked its item and cannot finish, because somebody keeps the facts to himself. */
  const underWay = async (
    id: string,
    verb: () => Promise<unknown>,
  ): Promise<{ finish: () => Promise<void> }> => {
    const gate = await hold(ledger.store.em(), (tx) => rows(tx, 'LOCK TABLE facts IN SHARE MODE'))
    const working = verb()
    working.catch(() => undefined)
    await somebodyWaits(ledger.store.em())
    expect(await stateOf(id)).toHaveLength(1)
    return {
      finish: async () => {
        await gate.commit()
        await working
      },
    }
  }

  it.each(['commits', 'rolls back'])('by hand, and %s: the block waits for it', async (end) => {
    const id = await submitThrough(ledger.store.em())
    const open = await hold(ledger.store.em(), (tx) =>
      rows(
        tx,
        `WITH gone AS (DELETE FROM items WHERE id = $1 RETURNING *)
         INSERT INTO item_tombstones (id, item_hash, block_id, leaf_index) SELECT id, item_hash, block_id, leaf_index FROM gone`,
        [id],
      ),
    )
    const block = ledger.finalize()
    await somebodyWaits(ledger.store.em())
    await (end === 'commits' ? open.commit() : open.rollBack())
    expect(await block).toMatchObject({ outcome: 'finalized', leaves: 1 })
    if (end === 'commits') expect(await buried(id)).toEqual([{ leaf_index: 0, placed: true }])
    else expect(await stateOf(id)).toEqual([{ state: 'committed', leaf_index: 0, erased: false }])
  })

  it('a deletion that began before the block: the tombstone takes the leaf', async () => {
    const [item, other] = await ledger.submit({}, {})
    const id = item?.id ?? ''
    const deletion = await underWay(id, () => deleteItem({ em: ledger.store.em() }, of(id)))
    const block = ledger.finalize()
    await somebodyWaits(ledger.store.em(), 2)
    await deletion.finish()
    expect(await block).toMatchObject({ outcome: 'finalized', leaves: 2 })
    expect(await stateOf(id)).toEqual([])
    expect(await buried(id)).toMatchObject([{ placed: true }])
    expect(await stateOf(other?.id ?? '')).toMatchObject([{ state: 'committed' }])
  })

  it('a redaction that began before the block: the item is in the block, erased', async () => {
    const id = await submitThrough(ledger.store.em())
    const redaction = await underWay(id, () => redactItem({ em: ledger.store.em() }, of(id)))
    const block = ledger.finalize()
    await somebodyWaits(ledger.store.em(), 2)
    await redaction.finish()
    expect(await block).toMatchObject({ outcome: 'finalized', leaves: 1 })
    expect(await stateOf(id)).toEqual([{ state: 'redacted', leaf_index: 0, erased: true }])
  })

  it('an unredaction that began before the block: the item is in the block, committed', async () => {
    const id = await submitThrough(ledger.store.em())
    await redactItem({ em: ledger.store.em() }, of(id))
    const restoring = await underWay(id, () =>
      unredactItem({ em: ledger.store.em() }, { ...of(id), claims: submittedClaims(claims) }),
    )
    const block = ledger.finalize()
    await somebodyWaits(ledger.store.em(), 2)
    await restoring.finish()
    expect(await block).toMatchObject({ outcome: 'finalized', leaves: 1 })
    expect(await stateOf(id)).toEqual([{ state: 'committed', leaf_index: 0, erased: false }])
  })

  it.each(['deletion', 'redaction'] as const)(
    'a %s that came while the block was being made waits for it',
    async (kind) => {
      const id = await submitThrough(ledger.store.em())
      // The block has placed its leaves and waits for its fact.
      const gate = await hold(ledger.store.em(), (tx) => rows(tx, 'LOCK TABLE facts IN SHARE MODE'))
      const block = ledger.finalize()
      await somebodyWaits(ledger.store.em())
      const verb = kind === 'deletion' ? deleteItem : redactItem
      const change = verb({ em: ledger.store.em() }, of(id))
      await somebodyWaits(ledger.store.em(), 2)
      await gate.commit()
      await change
      expect(await block).toMatchObject({ outcome: 'finalized', leaves: 1 })
      if (kind === 'deletion') expect(await buried(id)).toEqual([{ leaf_index: 0, placed: true }])
      else expect(await stateOf(id)).toEqual([{ state: 'redacted', leaf_index: 0, erased: true }])
    },
  )
})
