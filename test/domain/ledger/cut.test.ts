// Which items a block takes: everything visible up to its own millisecond, each once, whatever clocks and commits do.

import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { auditLedger } from '../../../server/domain/ledger/audit/audit_ledger.ts'
import { lockLedger } from '../../../server/domain/ledger/block.ts'
import { deleteItem } from '../../../server/domain/ledger/change_item.ts'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { finalizeBlock } from '../../../server/domain/ledger/finalize_block.ts'
import { draftItem } from '../../../server/domain/ledger/item.ts'
import { recordObservation } from '../../../server/domain/ledger/observation.ts'
import { submitItems } from '../../../server/domain/ledger/submit_items.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { ulidTime, uuid7Time } from '../../../shared/proof/ids.ts'
import { claimsOf } from '../../support/ledger.ts'
import { redactItem } from '../../support/redaction.ts'
import { row, rows } from '../../support/rows.ts'
import { freshLedger } from '../../support/test_ledger.ts'
import { type Held, hold, somebodyWaits } from './until.ts'

const ledger = freshLedger()
afterEach(async () => {
  expect((await auditLedger({ em: ledger.store.em() })).disagreements).toEqual([])
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
  finalizeBlock({ ...ledger, em: store.em() }, order)

const heightOf = async (id: string): Promise<number | undefined> =>
  (
    await rows<{ height: number }>(
      ledger.store.em(),
      'SELECT height FROM block_leaves WHERE subject_id = $1',
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
    await redactItem(store.em(), { id, userId })
    expect(await ledger.finalize()).toMatchObject({ leaves: 1 })
    expect(
      await row(
        store.em(),
        'SELECT state, committed_at IS NOT NULL AS dated FROM shown_items WHERE id = $1',
        [id],
      ),
    ).toEqual({
      state: 'redacted',
      dated: true,
    })
  })
})

describe.each(['1 hour', '30 years'])('after the clock was ahead by %s, and is set back', (offset) => {
  /** A block is made under it, so the chain is ahead; what is submitted after that is ahead of the chain. */
  const waitingAhead = async () => {
    const ahead = await ledger.openSkewed(offset)
    await submitThrough(ahead.em())
    expect(await finalizeThrough(ahead)).toMatchObject({ outcome: 'finalized' })
    const ids: string[] = []
    for (let submitted = 0; submitted < 5; submitted++) ids.push(await submitThrough(ahead.em()))
    return { ahead, ids }
  }
  const heightsOf = (ids: readonly string[]) => Promise.all(ids.map(heightOf))
  const timeOfHead = async () => uuid7Time(await headId()) ?? 0

  it('all that waits is in the next block, whichever of two servers makes it, and nothing is left', async () => {
    const { ids } = await waitingAhead()
    const other = await ledger.openSkewed('0')
    const before = await timeOfHead()
    const outcomes = await Promise.all([ledger.store, other].map((store) => finalizeThrough(store)))
    expect(outcomes.filter(({ outcome }) => outcome === 'finalized').length).toBeGreaterThan(0)
    expect(await heightsOf(ids)).toEqual(ids.map(() => 2))
    expect(await timeOfHead()).toBeLessThan(before + 60_000)
    expect(await rows(ledger.store.em(), 'SELECT FROM waiting_moments')).toEqual([])
  })

  it('what was submitted under it and commits only after the next block is in the one after that', async () => {
    const { ahead, ids } = await waitingAhead()
    const late = await hold(ahead.em(), (tx) => submitThrough(tx))
    await ledger.finalize()
    await late.commit()
    await ledger.finalize()
    expect(await heightsOf([...ids, late.result])).toEqual([...ids.map(() => 2), 3])
  })

  it('what is submitted from then on is later than what was, and in the block after it', async () => {
    const { ids } = await waitingAhead()
    const meanwhile = await submitThrough(ledger.store.em())
    await ledger.finalize()
    const next = await submitThrough(ledger.store.em())
    await ledger.finalize()
    expect(await heightsOf([...ids, meanwhile, next])).toEqual([...ids.map(() => 2), 2, 3])
    expect(ulidTime(next)).toBeGreaterThanOrEqual(Math.max(...ids.map(ulidTime)))
    expect(await timeOfHead()).toBe(ulidTime(next) + 1)
  })

  it('how late a block comes is told by the clock, not by its time', async () => {
    await waitingAhead()
    const soon = await ledger.openSkewed(`${600_000 - (Date.now() % HOUR)} milliseconds`)
    const made = await finalizeThrough(soon, { intervalMs: HOUR })
    expect(made.outcome === 'finalized' && made.lateMs).toBeCloseTo(600_000, -5)
  })

  it('an observation is in the next block, with and without items', async () => {
    const ahead = await ledger.openSkewed(offset)
    const observe = (ledgerSequence: number) =>
      recordObservation(
        { em: ahead.em(), signer: ledger.signer },
        { source: 'entropy_stellar', payload: { sequence: ledgerSequence }, publishedAt: null },
      )
    await finalizeThrough(ahead)
    await observe(1)
    expect(await ledger.finalize()).toMatchObject({ outcome: 'finalized', leaves: 1 })
    await observe(2)
    await submitThrough(ledger.store.em())
    expect(await ledger.finalize()).toMatchObject({ outcome: 'finalized', leaves: 2 })
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
      `SELECT items.id, items.block_id, witness.id AS witness_id FROM shown_items AS items
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
    rows(
      ledger.store.em(),
      'SELECT state, leaf_index, claims IS NULL AS erased FROM shown_items WHERE id = $1',
      [id],
    )
  const buried = async (id: string) =>
    rows(
      ledger.store.em(),
      'SELECT leaf_index FROM item_tombstones LEFT JOIN block_leaves ON subject_id = id WHERE id = $1',
      [id],
    )

  /** The item is changed, and the transaction is still open. */
  const underWay = (id: string, change: string) =>
    hold(ledger.store.em(), (tx) => rows(tx, `${change} WHERE id = $1`, [id]))
  const REDACT = `UPDATE items SET claims = NULL, hash = NULL, display_name = NULL, display_description = NULL,
                                   redacted_at = pharos_now()`

  it.each(['commits', 'rolls back'])(
    'a deletion that %s: the block holds the item and does not wait',
    async (end) => {
      const [item, other] = await ledger.submit({}, {})
      const id = item?.id ?? ''
      const deletion = await hold(ledger.store.em(), (tx) =>
        rows(
          tx,
          `WITH gone AS (DELETE FROM items WHERE id = $1 RETURNING *)
           INSERT INTO item_tombstones (id, item_hash) SELECT id, item_hash FROM gone`,
          [id],
        ),
      )
      expect(await ledger.finalize()).toMatchObject({ outcome: 'finalized', leaves: 2 })
      await (end === 'commits' ? deletion.commit() : deletion.rollBack())
      const place = id < (other?.id ?? '') ? 0 : 1
      expect(await stateOf(other?.id ?? '')).toMatchObject([{ state: 'committed', leaf_index: 1 - place }])
      if (end === 'commits') expect(await buried(id)).toEqual([{ leaf_index: place }])
      else expect(await stateOf(id)).toEqual([{ state: 'committed', leaf_index: place, erased: false }])
    },
  )

  it('a redaction: the item is in the block, erased', async () => {
    const id = await submitThrough(ledger.store.em())
    const redaction = await underWay(id, REDACT)
    expect(await ledger.finalize()).toMatchObject({ outcome: 'finalized', leaves: 1 })
    await redaction.commit()
    expect(await stateOf(id)).toEqual([{ state: 'redacted', leaf_index: 0, erased: true }])
  })

  it('an unredaction: the item is in the block, committed', async () => {
    const id = await submitThrough(ledger.store.em())
    const before = await row(
      ledger.store.em(),
      'SELECT claims, hash, display_name FROM items WHERE id = $1',
      [id],
    )
    await redactItem(ledger.store.em(), of(id))
    const restoring = await hold(ledger.store.em(), (tx) =>
      rows(
        tx,
        `UPDATE items SET claims = was.claims, hash = was.hash, display_name = was.display_name, redacted_at = NULL
           FROM jsonb_to_record($2) AS was (claims text, hash text, display_name text) WHERE id = $1`,
        [id, JSON.stringify(before)],
      ),
    )
    expect(await ledger.finalize()).toMatchObject({ outcome: 'finalized', leaves: 1 })
    await restoring.commit()
    expect(await stateOf(id)).toEqual([{ state: 'committed', leaf_index: 0, erased: false }])
  })

  it.each(['deletion', 'redaction'] as const)(
    'a %s while the block is being made does not wait',
    async (kind) => {
      const id = await submitThrough(ledger.store.em())
      // The block has placed its leaves, and waits for the table that its tiles go to.
      const gate = await hold(ledger.store.em(), (tx) => rows(tx, 'LOCK TABLE block_tiles IN SHARE MODE'))
      const block = ledger.finalize()
      await somebodyWaits(ledger.store.em())
      const verb = kind === 'deletion' ? deleteItem : redactItem
      await verb(ledger.store.em(), of(id))
      await gate.commit()
      expect(await block).toMatchObject({ outcome: 'finalized', leaves: 1 })
      if (kind === 'deletion') expect(await buried(id)).toEqual([{ leaf_index: 0 }])
      else expect(await stateOf(id)).toEqual([{ state: 'redacted', leaf_index: 0, erased: true }])
    },
  )
})

it('placing an item in a block writes no row of it', async () => {
  await ledger.submit({}, {}, {})
  const versions = () => rows(ledger.store.em(), 'SELECT id, xmin::text, ctid::text FROM items ORDER BY id')
  const before = await versions()
  expect(await ledger.finalize()).toMatchObject({ leaves: 3 })
  expect(await versions()).toEqual(before)
})
