// The statements of a page as the reader makes them, and what is wrong with how PostgreSQL carries them out.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { catalog, type PublishedResource } from '../../../server/catalog/catalog.ts'
import type { Context } from '../../../server/catalog/context.ts'
import { compileFilter, type FilterTree } from '../../../server/contract/filter.ts'
import { type KeysetPlace, nullsFirst, type SortKey } from '../../../server/contract/keyset.ts'
import { withoutImplied } from '../../../server/contract/page.ts'
import { sortKey, withTiebreaker } from '../../../server/contract/resource_fields.ts'
import { SHOWS_ALL } from '../../../server/contract/row_columns.ts'
import { chooseWalk } from '../../../server/contract/walk.ts'
import { phasesOf, rowsOf } from '../../../server/contract/walk_statements.ts'
import type { TestApp } from '../../support/app.ts'
import { compiled } from '../../support/compiled.ts'
import { explain } from './explain.ts'

/** Rows of a page, with the one that tells whether there are more. */
const PAGE = 26

export interface Asked {
  /** A word of `sort`. With `^` at its end the nulls come first. */
  readonly sort?: string | undefined
  readonly filter?: FilterTree
  readonly from?: KeysetPlace | undefined
  readonly backwards?: boolean
}

export interface Expected {
  /** The table that is not scanned. */
  readonly table?: string
  /** Rows that may be sorted: those of a page, where several ranges end. */
  readonly sorted?: number
  /** Rows that the page has. */
  readonly rows?: number
  /** Pages of memory that it may touch, when it must pass over rows. */
  readonly buffers?: number
  /** Takes the names of the indexes that the plans read. */
  readonly used?: Set<string>
  /** False for a statement that was prepared and repeated, whose plan is made without the values. */
  readonly knowsValues?: boolean
}

/** The keys of a sort, the id last. */
export function keysOf(resource: PublishedResource, word: string | undefined): readonly SortKey[] {
  const key = word === undefined ? undefined : sortKey(resource, word.replace('^', ''))
  const own = key !== undefined && word?.endsWith('^') === true ? nullsFirst(key) : key
  return withoutImplied(resource, withTiebreaker(resource, own === undefined ? [] : [own]))
}

/** What is wrong with the plans of a page. The page stops where the reader would. */
export async function mistakesOf(
  app: TestApp,
  resource: PublishedResource,
  context: Context,
  { sort, filter = {}, from, backwards = false }: Asked,
  {
    table = resource.table,
    sorted = 2 * PAGE,
    rows: expected,
    knowsValues = true,
    buffers,
    used,
  }: Expected = {},
): Promise<string[]> {
  const keys = keysOf(resource, sort)
  const compiledFilter = compileFilter(resource, { context, related: catalog.related }, filter)
  const walk = await chooseWalk(resource, context, { filter: compiledFilter, sort: keys })
  const wrong: string[] = []
  let found = 0
  for (const phase of phasesOf(walk, keys, from, backwards)) {
    const part = { piece: 1_000, limit: PAGE - found }
    const { text, parameters } = compiled(
      rowsOf({ resource, keys, walk, shows: SHOWS_ALL }, phase, part).text,
    )
    const { mistakes, rows, indexes } = await explain(app, table, text, parameters, {
      mostSorted: sorted,
      knowsValues,
      mostBuffers: buffers,
    })
    const where = `${sort ?? 'default'} ${JSON.stringify(filter)} ${backwards ? 'before' : 'after'} ${JSON.stringify(from?.keyset)}`
    wrong.push(...mistakes.map((mistake) => `${where}: ${mistake}`))
    for (const index of indexes) used?.add(index)
    found += rows
    if (found >= PAGE) break
  }
  return expected === undefined || found === expected ? wrong : [...wrong, `${found} rows`]
}

/** The indexes in the list of `server/store/README.md` that begin like this: those of a table, or some of them. */
export const indexesListed = (...begin: readonly string[]): string[] =>
  [...readFileSync(README, 'utf8').matchAll(/^- (?:`\w+`(?:, )?)+: /gm)]
    .flatMap(([names]) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
    .filter((name) => begin.some((start) => name.startsWith(start)))

const README = join(import.meta.dirname, '../../../server/store/README.md')

/** Loads a table without its indexes, which takes a third of the time; then they are as they were. */
export async function fillUnindexed(
  client: pg.Client,
  table: string,
  fill: () => Promise<unknown>,
): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = $1::text AND indexname <> $1::text || '_pkey'`,
    [table],
  )
  // A table that is logged may not refer to one that is not, and rounds refer to items.
  await client.query(
    `SET maintenance_work_mem = '256MB'; ALTER TABLE aggregation_rounds SET UNLOGGED; ALTER TABLE ${table} SET UNLOGGED`,
  )
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
  await fill()
  for (const { definition } of indexes) await client.query(definition)
}

/** Fills tables on a connection of its own: without the time limit of a statement, and without checks of foreign keys. */
export async function fillTables(app: TestApp, fill: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  try {
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off')
    await fill(client)
  } finally {
    await client.end()
  }
}
