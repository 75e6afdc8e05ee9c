// What a round leaves in the database is the same, however many digests stand in it.
import { createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSigner } from '../../../server/domain/ledger/signing_key.ts'
import { openRounds, type Rounds } from '../../../server/domain/rounds/open_rounds.ts'
import { createLog } from '../../../server/kernel/log.ts'
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { sizeOf } from '../../support/sizes.ts'

const ROUNDS = 100
const MANY = sizeOf('round_entries')
const PAGE_BYTES = 8_192

interface Size {
  /** Pages of tables and indexes, by their names. */
  readonly pages: ReadonlyMap<string, number>
  /** Of all rows. */
  readonly rowBytes: number
}

async function sizeNow({ query }: TestDatabase): Promise<Size> {
  const relations = await query<{ name: string; kind: string; pages: number }>(
    `SELECT relname AS name, relkind AS kind, (pg_relation_size(oid) / ${PAGE_BYTES})::int AS pages
       FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace`,
  )
  let rowBytes = 0
  for (const { name } of relations.filter(({ kind }) => kind === 'r')) {
    const [sum] = await query<{ bytes: number }>(
      `SELECT coalesce(sum(pg_column_size(t.*)), 0)::float8 AS bytes FROM "${name}" t`,
    )
    rowBytes += sum?.bytes ?? 0
  }
  return { pages: new Map(relations.map(({ name, pages }) => [name, pages])), rowBytes }
}

const roundsOf = (ledger: TestLedger, intervalMs: number): Rounds =>
  openRounds({
    em: () => ledger.store.em(),
    signer: createSigner({ masterKey: ledger.masterKey }),
    intervalMs,
    onRecorded: () => undefined,
    log: createLog('silent'),
  })

/** What rounds of so many digests add. The first round is not counted, because empty tables get their first pages by it. */
async function grownBy(entries: number): Promise<Size> {
  const ledger = await openTestLedger()
  const digests = Array.from(
    { length: entries },
    (_, at): TreeEntry => ({ type: 'sha256', value: createHash('sha256').update(`${at}`).digest() }),
  )
  const rounds = roundsOf(ledger, 1)
  try {
    await rounds.place(digests, 'ada')
    const before = await sizeNow(ledger.database)
    for (let round = 0; round < ROUNDS; round += 1) {
      const placed = await rounds.place(digests, 'ada')
      expect(placed.length).toBe(entries)
    }
    const after = await sizeNow(ledger.database)
    const added = [...after.pages].map(
      ([name, pages]) => [name, pages - (before.pages.get(name) ?? 0)] as const,
    )
    return { pages: new Map(added), rowBytes: after.rowBytes - before.rowBytes }
  } finally {
    await rounds.close()
    await ledger.close()
  }
}

it(`${ROUNDS} rounds of ${MANY} digests take as much of the database as ${ROUNDS} rounds of one`, {
  timeout: 600_000,
}, async () => {
  const [few, many] = [await grownBy(1), await grownBy(MANY)]
  expect(few.rowBytes).toBeGreaterThan(ROUNDS * 500)
  expect(Math.abs(many.rowBytes / few.rowBytes - 1)).toBeLessThan(0.01)
  // A page that begins a row earlier is a page more.
  for (const [name, pages] of few.pages)
    expect(Math.abs((many.pages.get(name) ?? 0) - pages), name).toBeLessThanOrEqual(1)
})

it(`a token takes at most 40 bytes of the database beside its round, tables and indexes together`, {
  timeout: 600_000,
}, async () => {
  const TOKENS = 10_000
  const ledger = await openTestLedger()
  const rounds = roundsOf(ledger, 3_000)
  const place = (tokens: number) =>
    Promise.all(Array.from({ length: tokens }, () => rounds.placeToken(() => randomBytes(32), 'ada')))
  const size = async (): Promise<number> => {
    const [sum] = await ledger.database.query<{ bytes: number }>(
      `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes
         FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    )
    return sum?.bytes ?? Number.NaN
  }
  try {
    // Long enough to stand apart from its row, as those of the others will.
    await place(200)
    const before = await size()
    expect(new Set((await place(TOKENS)).map(({ root }) => Buffer.from(root).toString('hex'))).size).toBe(1)
    expect(((await size()) - before) / TOKENS).toBeLessThanOrEqual(40)
  } finally {
    await rounds.close()
    await ledger.close()
  }
})
