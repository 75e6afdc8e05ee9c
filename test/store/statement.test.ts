// A statement that says of itself what is not so is found out by its first answer.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  bool,
  bytes,
  float8,
  instant,
  int4,
  int8,
  jsonObject,
  nullable,
  oneOf,
  text,
} from '../../server/store/columns.ts'
import { isDatabaseUnavailable } from '../../server/store/database_errors.ts'
import { openStore } from '../../server/store/open_store.ts'
import {
  inTransaction,
  legibleStatement,
  preparedStatement,
  rows,
  type Statement,
  statement,
} from '../../server/store/statement.ts'
import { testLedger } from '../support/test_ledger.ts'

const ledger = testLedger()

const ask = <Row>(one: Statement<Row>) => rows(ledger.store.em(), one)

describe('a statement', () => {
  it.each<[string, Statement<unknown>]>([
    ['another type', statement({ n: text }, sql`SELECT 1 AS n`)],
    ['another type, without any row', statement({ n: text }, sql`SELECT 1 AS n WHERE false`)],
    ['a column it lacks', statement({ n: int4, m: int4 }, sql`SELECT 1 AS n`)],
    ['another name', statement({ m: int4 }, sql`SELECT 1 AS n`)],
    ['a column less', statement({ n: int4 }, sql`SELECT 1 AS n, 2 AS m`)],
    ['no nulls', statement({ n: int4 }, sql`SELECT NULL::int AS n`)],
    ['other words', statement({ n: oneOf('a', 'b') }, sql`SELECT 'c' AS n`)],
    ['an object', statement({ n: jsonObject }, sql`SELECT '[]'::jsonb AS n`)],
  ])('that promises %s is refused', async (_, one) => {
    await expect(ask(one)).rejects.toThrow(/[Cc]olumn|yields/)
  })

  it('yields what the driver makes of each type', async () => {
    const one = statement(
      { a: text, b: int4, c: int8, d: bytes, e: instant, f: bool, g: jsonObject, h: nullable(text) },
      sql`SELECT 'x' AS a, 1 AS b, 2::bigint AS c, '\\x01'::bytea AS d, '2026-11-22T00:00:00.001Z'::timestamptz AS e,
                 true AS f, '{"n":1}'::jsonb AS g, NULL::text AS h`,
    )
    expect(await ask(one)).toEqual([
      {
        a: 'x',
        b: 1,
        c: '2',
        d: Buffer.from([1]),
        e: new Date('2026-11-22T00:00:00.001Z'),
        f: true,
        g: { n: 1 },
        h: null,
      },
    ])
  })

  it('has the text it was compiled to once, and sends a parameter that stands twice in it once', async () => {
    let builds = 0
    const one = statement(
      { both: text, number: int4 },
      ({ word, number }: { word: string; number: number }) => {
        builds += 1
        return sql`SELECT ${word}::text || ${word}::text AS both, ${number}::int AS number`
      },
    )
    expect(await ask(one({ word: 'a', number: 1 }))).toEqual([{ both: 'aa', number: 1 }])
    expect(await ask(one({ word: 'b', number: 2 }))).toEqual([{ both: 'bb', number: 2 }])
    expect(builds).toBe(1)
    expect(one({ word: 'c', number: 3 }).compile()).toMatchObject({
      sql: 'SELECT $1::text || $1::text AS both, $2::int AS number',
      parameters: ['c', 3],
    })
  })

  it('cannot lose a parameter by taking the rest of them', () => {
    const one = statement(
      { n: int4 },
      ({ n, ...others }: { n: number; m: number }) => sql`SELECT ${n} + ${others.m}`,
    )
    expect(() => one({ n: 1, m: 2 }).compile()).toThrow('one by one')
  })

  it.each([
    [
      'is prepared where that is said, and planned for all values once it is repeated',
      true,
      preparedStatement,
      3,
    ],
    ['is planned for its values otherwise', true, statement, undefined],
    ['is never prepared where a pooler does not know it', false, preparedStatement, undefined],
  ])('%s', async (_, prepares, made, plans) => {
    const store = openStore({ url: ledger.database.url, poolSize: 10, prepares })
    const one = made({ n: int4 }, ({ n }: { n: number }) => sql`SELECT ${n}::int + 40 AS n`)
    const known = statement(
      { plans: float8 },
      sql`SELECT generic_plans::float8 AS plans FROM pg_prepared_statements`,
    )
    try {
      // The purpose `ledger` of so small a pool has two connections, which are used one after the other. PostgreSQL plans
      // the first five for their values, to compare.
      for (const n of [1, 2, 3, 4, 5, 6, 7, 8])
        expect(await rows(store.em('ledger'), one({ n }))).toEqual([{ n: n + 40 }])
      expect(await rows(store.em('ledger'), known)).toEqual(plans === undefined ? [] : [{ plans }])
    } finally {
      await store.close()
    }
  })

  it('that is to be shown yields bytes as hex and times as ISO 8601, with every digit', async () => {
    const times = ['2026-11-22T00:00:00.001Z', '2026-11-22T00:00:00.120Z', '2026-11-22T00:00:00.000Z']
    const bytesAndTimes = legibleStatement(
      { hash: bytes, at: instant, none: nullable(instant) },
      sql`SELECT '\\x00ff'::bytea AS hash, at, NULL::timestamptz AS none
            FROM unnest(${times}::timestamptz[]) WITH ORDINALITY AS t (at, place) ORDER BY place`,
    )
    expect(await ask(bytesAndTimes)).toEqual(times.map((at) => ({ hash: '00ff', at, none: null })))
  })
})

it('that comes after the store was closed meets a database that is away', async () => {
  const store = openStore({ url: ledger.database.url, poolSize: 1 })
  const em = store.em()
  const one = statement({ n: int4 }, sql`SELECT 1 AS n`)
  expect(await rows(em, one)).toEqual([{ n: 1 }])
  await store.close()
  await expect(rows(em, one)).rejects.toSatisfy(isDatabaseUnavailable)
  await expect(inTransaction(em, async (inside) => rows(inside, one))).rejects.toSatisfy(
    isDatabaseUnavailable,
  )
})
