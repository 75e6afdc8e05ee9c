// Readers of facts see each once and none late, however transactions overlap.
import { describe, expect, it } from 'vitest'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { factsAfter, latestFactCursor, pruneFacts } from '../../../server/domain/ledger/facts.ts'
import { draftItem } from '../../../server/domain/ledger/item.ts'
import { submitItems } from '../../../server/domain/ledger/submit_items.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { claimsOf } from '../../support/ledger.ts'
import { row, rows } from '../../support/rows.ts'
import { freshLedger } from '../../support/test_ledger.ts'
import { type Held, hold, until } from './until.ts'

type FactCursor = Awaited<ReturnType<typeof latestFactCursor>>

const ledger = freshLedger()

const em = () => ledger.store.em()
const START = { xid: '0', id: '0' }
/** Two items; their ids. */
const write = async (tx = em()): Promise<string[]> => {
  const drafts = [1, 2].map((at) =>
    draftItem({
      claims: submittedClaims(claimsOf(`file ${at}`)),
      creatorId: ledger.userId,
      teamId: ledger.teamId,
    }),
  )
  const outcomes = await submitItems({ em: tx, signer: ledger.signer }, drafts)
  return outcomes.flatMap((outcome) => ('item' in outcome ? [outcome.item.id] : []))
}
/**
 * The subjects after the cursor. A transaction of another database on this server may keep the newest ones back for a
 * moment, and makes a cursor begin a little early.
 */
const subjectsAfter = async (cursor: FactCursor): Promise<string[]> =>
  (await factsAfter(em(), cursor, 100)).facts.map(({ subject_id }) => subject_id)
const shows = (cursor: FactCursor, ids: readonly string[]) =>
  until(async () => {
    const shown = await subjectsAfter(cursor)
    return ids.every((id) => shown.includes(id))
  }, 'the facts are shown')
const countFacts = async () => (await row<{ n: number }>(em(), 'SELECT count(*)::int AS n FROM facts')).n

describe('a reader of facts', () => {
  it('is shown everything there is, page by page, in one order', async () => {
    for (let at = 0; at < 5; at += 1) await write()
    await ledger.finalize()
    const subjects: string[] = []
    // Other databases of this server may hold a transaction open for a moment.
    await until(async () => {
      subjects.length = 0
      for (let cursor = START; ; ) {
        const page = await factsAfter(em(), cursor, 3)
        subjects.push(...page.facts.map(({ kind, subject_id }) => `${kind} ${subject_id}`))
        if (page.facts.length === 0) break
        cursor = page.cursor
      }
      return subjects.length === 12
    }, 'all 12 facts are shown')
    const written = await rows<{ fact: string }>(
      em(),
      `SELECT kind || ' ' || subject_id AS fact FROM facts ORDER BY xid, id`,
    )
    expect(subjects).toEqual(written.map(({ fact }) => fact))
  })

  it('misses nothing where numbers get one more digit', async () => {
    const items = await ledger.submit(...Array.from({ length: 120 }, () => ({})))
    const ids = items.map(({ id }) => id)
    await shows(START, ids.slice(0, 1))
    const seen: string[] = []
    for (let cursor: FactCursor = START; ; ) {
      const page = await factsAfter(em(), cursor, 1)
      if (page.facts.length === 0) break
      cursor = page.cursor
      seen.push(...page.facts.map(({ subject_id }) => subject_id))
    }
    expect(seen.slice(1)).toEqual(ids)
  })

  it('is not shown what was written after a transaction that is still open, until that one has ended', async () => {
    const cursor = await latestFactCursor(em())
    const early = await hold(em(), write)
    const late = await write()
    expect((await subjectsAfter(cursor)).filter((id) => late.includes(id))).toEqual([])
    await early.commit()
    await shows(cursor, [...early.result, ...late])
  })

  it('that begins now is shown everything from now on, and what was still open', async () => {
    const before = await write()
    await shows(START, before)
    const open = await hold(em(), write)
    const cursor = await latestFactCursor(em())
    await open.commit()
    await shows(cursor, [...open.result, ...(await write())])
    expect((await subjectsAfter(cursor)).filter((id) => before.includes(id))).toEqual([])
  })

  it('misses and repeats nothing while many write, overlapping, out of order, some in vain', async () => {
    const seen: string[] = []
    let cursor = await latestFactCursor(em())
    let writing = true
    const read = async () => {
      const page = await factsAfter(em(), cursor, 7)
      cursor = page.cursor
      seen.push(...page.facts.map(({ subject_id }) => subject_id))
      return page.facts.length
    }
    const before = new Set((await rows<{ id: string }>(em(), 'SELECT id FROM facts')).map(({ id }) => id))
    const reading = (async () => {
      while (writing) await read()
    })()
    const writer = async (seed: number) => {
      let dice = seed
      const roll = (sides: number) => {
        dice = (dice * 48_271) % 2_147_483_647
        return dice % sides
      }
      const open: Held<unknown>[] = []
      for (let turn = 0; turn < 40; turn += 1) {
        if (open.length < 2 && roll(2) === 0) open.push(await hold(em(), write))
        else if (open.length > 0) {
          const [held] = open.splice(roll(open.length), 1)
          await (roll(4) === 0 ? held?.rollBack() : held?.commit())
        } else await write()
      }
      for (const held of open) await held.commit()
    }
    try {
      await Promise.all([11, 222, 3333].map(writer))
    } finally {
      writing = false
      await reading
    }
    const written = await rows<{ id: string; subject_id: string }>(
      em(),
      'SELECT id, subject_id FROM facts ORDER BY xid, id',
    )
    const expected = written.filter(({ id }) => !before.has(id)).map(({ subject_id }) => subject_id)
    await until(async () => (await read()) === 0 && seen.length >= expected.length, 'every fact was read')
    expect(expected.length).toBeGreaterThan(60)
    const early = seen.length - expected.length
    expect(seen.slice(early)).toEqual(expected)
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('loses only what is older than asked for when facts are pruned, and so many at a time', async () => {
    for (let at = 0; at < 3; at += 1) await write()
    await rows(
      em(),
      `UPDATE facts SET at = at - interval '25 hours' WHERE kind = 'item.created' AND id % 2 = 0`,
    )
    const all = await countFacts()
    expect(await pruneFacts(em(), 2)).toBe(2)
    expect(await pruneFacts(em(), 100)).toBe(1)
    expect(await pruneFacts(em(), 100)).toBe(0)
    expect(await countFacts()).toBe(all - 3)
  })
})

describe('in a database that was restored from one whose transactions were counted further', () => {
  const countOf = async () =>
    BigInt((await row<{ xid: string }>(em(), 'SELECT pg_current_xact_id()::text AS xid')).xid)
  /** As a dump brings them: rows written here, with the numbers they had there. */
  const restore = (xid: bigint) =>
    rows(
      em(),
      `INSERT INTO facts (xid, kind, subject_id, data) SELECT $1::text::xid8, 'entropy.created', 'restored ' || n, '{}'
         FROM generate_series(1, 3) n`,
      [String(xid)],
    )

  it('facts of there are never told as news, not even when the count here gets to where it was there', async () => {
    const from = await countOf()
    await restore(from + 40n)
    const cursor = await latestFactCursor(em())
    while ((await countOf()) <= from + 80n);
    const written = await write()
    await shows(cursor, written)
    expect((await subjectsAfter(cursor)).filter((id) => id.startsWith('restored'))).toEqual([])
  })

  it('facts that were counted less far than here are past', async () => {
    await restore(3n)
    const cursor = await latestFactCursor(em())
    const written = await write()
    await shows(cursor, written)
    expect((await subjectsAfter(cursor)).filter((id) => id.startsWith('restored'))).toEqual([])
  })

  it('a reader that stood further than anybody counts here is told what happens from now on', async () => {
    const old = { xid: String((await countOf()) + 1_000_000n), id: '7' }
    const { facts, cursor } = await factsAfter(em(), old, 100)
    expect(facts).toEqual([])
    const written = await write()
    await shows(cursor, written)
  })

  it('a fact that was written within a savepoint is news like any other', async () => {
    const cursor = await latestFactCursor(em())
    await inTransaction(em(), async (tx) => {
      await rows(tx, 'SELECT pg_current_xact_id()')
      await rows(tx, 'SAVEPOINT here')
      await rows(tx, `INSERT INTO facts (kind, subject_id, data) VALUES ('entropy.created', 'within', '{}')`)
      await rows(tx, 'RELEASE SAVEPOINT here')
    })
    await shows(cursor, ['within'])
  })
})
