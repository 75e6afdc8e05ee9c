// What the code says of the tables is what the migrations made.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { bool, type Columns, nullable, TYPE_OIDS, text } from '../../server/store/columns.ts'
import { TABLES, VIEWS } from '../../server/store/database.ts'
import { rows, statement } from '../../server/store/statement.ts'
import { testLedger } from '../support/test_ledger.ts'

const ledger = testLedger()

const COLUMNS = statement(
  {
    relation: text,
    name: text,
    type: text,
    filled: text,
    required: bool,
    is_view: bool,
    check: nullable(text),
  },
  sql`
  SELECT c.relname::text AS relation, a.attname::text AS name, format_type(a.atttypid, NULL) AS type,
         CASE WHEN a.attgenerated <> '' OR a.attidentity = 'a' THEN 'always' WHEN a.atthasdef THEN 'default'
              ELSE 'given' END AS filled,
         a.attnotnull AS required, c.relkind = 'v' AS is_view,
         (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
           WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
             AND pg_get_constraintdef(k.oid) ~ '^CHECK [(][(][a-z_]+ = (''[^'']+''::text|ANY [(]ARRAY.''.*)[)][)]') AS check
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v') AND a.attnum > 0 AND NOT a.attisdropped
     AND c.relname <> 'migrations'
   ORDER BY a.attnum`,
)

interface Said {
  readonly type: string
  readonly filled: string
  readonly nullable: boolean
  readonly words: readonly string[] | undefined
}

/** By `table.column`. */
const said = (relations: Readonly<Record<string, Columns>>): ReadonlyMap<string, Said> =>
  new Map(
    Object.entries(relations).flatMap(([relation, columns]) =>
      Object.entries(columns).map(([name, { type, filled, nullable: is, words }]): [string, Said] => [
        `${relation}.${name}`,
        { type, filled, nullable: is, words: words?.map(String).toSorted() },
      ]),
    ),
  )

const wordsIn = (check: string | null): string[] | undefined =>
  check === null ? undefined : [...check.matchAll(/'([^']+)'::text/g)].map(([, word = '']) => word).toSorted()

const COMPARED = 'what server/store/tables/ declares (+), and what server/store/migrations/ makes (-)'

describe('the declared tables', () => {
  it('are those of the migrated schema: each column, its type, its nulls, its words and who fills it', async () => {
    const found = (await rows(ledger.store.em(), COLUMNS)).filter(({ is_view }) => !is_view)
    const made = found.map(({ relation, name, type, filled, required, check }): [string, Said] => [
      `${relation}.${name}`,
      { type, filled, nullable: !required, words: wordsIn(check) },
    ])
    expect(Object.fromEntries(said(TABLES)), COMPARED).toEqual(Object.fromEntries(made))
  })

  it('and views: each column and its type, in any order', async () => {
    const found = (await rows(ledger.store.em(), COLUMNS)).filter(({ is_view }) => is_view)
    expect(Object.fromEntries([...said(VIEWS)].map(([name, { type }]) => [name, type])), COMPARED).toEqual(
      Object.fromEntries(found.map(({ relation, name, type }) => [`${relation}.${name}`, type])),
    )
  })

  it('have the numbers that PostgreSQL gives their types', async () => {
    const names = Object.keys(TYPE_OIDS)
    const TYPES = statement(
      { name: text, oid: text },
      sql`SELECT name, name::regtype::oid::text AS oid FROM unnest(${names}::text[]) AS name`,
    )
    const found = await rows(ledger.store.em(), TYPES)
    expect(Object.fromEntries(found.map(({ name, oid }) => [name, Number(oid)]))).toEqual(TYPE_OIDS)
  })
})
