// The law of reads: however wide and deep the request for a list or a record is, its cost is bounded.
import { describe, expect, it } from 'vitest'
import { catalog, type PublishedResource } from '../../server/catalog/catalog.ts'
import { queryFields } from '../../server/contract/resource_fields.ts'
import { CEILINGS } from '../../server/kernel/ceilings.ts'
import { type Cost, costOf, lawGround } from './cost.ts'
import { openLargeLedger } from './large_ledger.ts'

/**
 * Statements of one request: a page with its probes and count, and for each relationship the statements for
 * its rows.
 */
const MOST_STATEMENTS = 240
/**
 * Rows of one request: a page and its probe, the included rows and the row beyond them, and the rows beside
 * each.
 */
const MOST_ROWS = 2 * (251 + CEILINGS.included_rows.byDefault) + MOST_STATEMENTS

const ground = lawGround(openLargeLedger)

/** Every path of relationships, down to the accepted depth. */
function includesOf(resource: PublishedResource, depth = 4): string[] {
  if (depth === 0) return []
  return Object.entries(resource.relationships).flatMap(([name, { target }]) => [
    name,
    ...includesOf(catalog.related(target), depth - 1).map((rest) => `${name}.${rest}`),
  ])
}

const many = (count: number, make: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join('&')

/** Query strings, by the limit that each exhausts. */
function queriesOf(resource: PublishedResource): readonly (readonly [string, string])[] {
  const fields = Object.entries(queryFields(resource))
  const filterable = fields.filter(([, { filter }]) => filter === true).map(([name]) => name)
  const texts = fields
    .filter(([, { filter, kind }]) => filter === true && kind.stored?.operators.includes('contains') === true)
    .map(([name]) => name)
  const sortable = fields.filter(([, { sort }]) => sort === true).map(([name]) => name)
  const text = texts[0] ?? 'id'
  const includes = includesOf(resource)
  return [
    ['the largest page', 'page[limit]=250'],
    ['the largest page with a count', 'page[limit]=250&page[count]=true'],
    ['every sort', `page[limit]=250&sort=${sortable.slice(0, 8).join(',')}`],
    [
      'every sort, backwards',
      `page[limit]=250&sort=${sortable
        .slice(0, 8)
        .map((name) => `-${name}`)
        .join(',')}`,
    ],
    ['a far offset', 'page[limit]=250&page[offset]=99999999999999999999'],
    ...includes
      .filter((path) => path.split('.').length <= 2)
      .map((path) => [`includes ${path}`, `page[limit]=250&include=${path}`] as const),
    ['as many includes as are taken', `page[limit]=250&include=${includes.slice(0, 16).join(',')}`],
    [
      'the deepest includes',
      `page[limit]=250&include=${
        includes
          .filter((path) => path.split('.').length === 4)
          .slice(0, 16)
          .join(',') || 'x'
      }`,
    ],
    ['every field', `page[limit]=250&fields[${resource.type}]=${Object.keys(resource.fields).join(',')}`],
    ['a hundred conditions', many(100, (n) => `filter[or][${n}][${text}][not_eq]=${n}`)],
    ['a thousand conditions', many(1_000, (n) => `filter[or][${n}][${text}]=${n}`)],
    ['a condition on every field', many(filterable.length, (n) => `filter[${filterable[n]}][is_nil]=false`)],
    ['a search by part', `page[limit]=250&page[count]=true&filter[${text}][contains]=zzz`],
    ['250 values', many(250, (n) => `filter[${text}][in][]=${n}`)],
    ['5,000 values', many(5_000, (n) => `filter[${text}][in][]=${n}`)],
    ['a deep filter', `filter${'[not]'.repeat(12)}[${text}]=1`],
    ['a very deep filter', `filter${'[not]'.repeat(4_000)}[${text}]=1`],
    ['a long value', `filter[${text}]=${'x'.repeat(60_000)}`],
    ['a long name', `filter[${'x'.repeat(60_000)}]=1`],
    ['a long sort', `sort=${'id,'.repeat(15_000)}`],
    ['a long include', `include=${'a.'.repeat(25_000)}`],
    ['long fields', `fields[${resource.type}]=${'x,'.repeat(25_000)}`],
    ['many types of fields', many(4_000, (n) => `fields[t${n}]=x`)],
    ['a long cursor', `page[after]=${'A'.repeat(60_000)}`],
    ['many parameters', many(15_000, () => 'x=y')],
    ['many brackets', `filter${'['.repeat(30_000)}${']'.repeat(30_000)}=1`],
  ]
}

function holds({ answer, cpuMs, statements, rows, answerBytes }: Cost, allowed: number): void {
  expect([200, 400, 404, 431], answer.text.slice(0, 300)).toContain(answer.status)
  expect(answerBytes).toBeLessThanOrEqual(answer.status === 200 ? CEILINGS.response_bytes.byDefault : 65_536)
  expect(statements).toBeLessThanOrEqual(MOST_STATEMENTS)
  expect(rows).toBeLessThanOrEqual(MOST_ROWS)
  expect(cpuMs, `of ${answerBytes} bytes`).toBeLessThan(allowed)
}

async function judge(path: string): Promise<void> {
  const parts = { key: ground.app.owner.key }
  const allowed = (answerBytes: number, again?: boolean) =>
    ground.plain.allowed(path.length, answerBytes, again)
  const cost = await costOf(ground.app.port, path, parts, { allowed, statements: MOST_STATEMENTS })
  holds(cost, cost.allowed)
}

const lists = catalog.resources.filter(({ operations }) => operations.some(({ kind }) => kind === 'list'))

describe.each(lists.map((resource) => [resource.type, resource] as const))('%s', (_, resource) => {
  it.each(queriesOf(resource))('the list, asked for %s', async (_what, query) => {
    await judge(`/api/json${resource.path}?${query}`)
  })

  it.each([
    ['a long id', 'x'.repeat(60_000)],
    ['an id of escapes', '%25'.repeat(20_000)],
    ['a deep path', 'a/'.repeat(30_000)],
  ])('one, asked for by %s', async (_what, id) => {
    await judge(`/api/json${resource.path}/${id}`)
  })
})

it('a block is asked for with everything in it', async () => {
  const [block] = await ground.app.query<{ id: string }>('SELECT id FROM blocks WHERE item_count > 0 LIMIT 1')
  for (const include of includesOf(catalog.related('block')).slice(0, 40))
    await judge(`/api/json/blocks/${block?.id}?include=${include}`)
})
