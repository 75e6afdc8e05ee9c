// What lists refuse: unknown names, wrong values and hostile spellings, each told by its parameter, none a fault of ours.

import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openTestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { rows } from '../../support/rows.ts'
import { slowness } from '../../support/slowness.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, codesOf } from '../graphql/ask_graphql.ts'
import { pageOf, refusals } from './documents.ts'

const app = testApp()

const get = (query: string) => ask(app.port, `/api/json/items?${query}`, { key: app.owner.key })

describe('400 invalid_filter', () => {
  it.each([
    ['filter=x', 'filter'],
    ['filter[nosuch]=x', 'filter[nosuch]'],
    ['filter[claims]=x', 'filter[claims]'],
    ['filter[signature]=x', 'filter[signature]'],
    ['filter[state]=finished', 'filter[state]'],
    ['filter[state][]=created', 'filter[state]'],
    ['filter[state][like]=x', 'filter[state][like]'],
    ['filter[state][has]=x', 'filter[state][has]'],
    ['filter[state][in][]=created&filter[state][in][]=x', 'filter[state][in]'],
    ['filter[state][is_nil]=maybe', 'filter[state][is_nil]'],
    ['filter[tags]=a', 'filter[tags]'],
    ['filter[tags][has][]=a', 'filter[tags][has]'],
    ['filter[item_hash]=zz', 'filter[item_hash]'],
    ['filter[item_hash][lt]=zz', 'filter[item_hash][lt]'],
    ['filter[inserted_at][gt]=yesterday', 'filter[inserted_at][gt]'],
    ['filter[inserted_at][gt]=2026-01-01', 'filter[inserted_at][gt]'],
    ['filter[inserted_at][gt]=0000-01-01T00:00:00Z', 'filter[inserted_at][gt]'],
    ['filter[inserted_at][gt]=0001-01-01T00:00:00%2B23:59', 'filter[inserted_at][gt]'],
    ['filter[inserted_at][gt]=9999-12-31T23:59:59-23:59', 'filter[inserted_at][gt]'],
    ['filter[inserted_at][contains]=2026', 'filter[inserted_at][contains]'],
    ['filter[block]=x', 'filter[block]'],
    ['filter[block][]=x', 'filter[block]'],
    ['filter[block][nosuch]=x', 'filter[block][nosuch]'],
    ['filter[block][height]=1.5', 'filter[block][height]'],
    ['filter[block][height]=99999999999999999999', 'filter[block][height]'],
    ['filter[block][items][claims]=x', 'filter[block][items][claims]'],
    ['filter[creator][email]=x', 'filter[creator][email]'],
    ['filter[or]=x', 'filter[or]'],
    ['filter[or][]=x', 'filter[or]'],
    ['filter[or][state]=created', 'filter[or]'],
    ['filter[or][3][state]=x', 'filter[or][3][state]'],
    ['filter[not]=x', 'filter[not]'],
    ['filter[not][state]=x', 'filter[not][state]'],
    ['filter[__proto__]=x', 'filter[__proto__]'],
    ['filter[__proto__][state]=created', 'filter[__proto__]'],
    ['filter[constructor]=x', 'filter[constructor]'],
    ['filter[constructor][prototype]=x', 'filter[constructor]'],
    ['filter[state][__proto__]=x', 'filter[state][__proto__]'],
    ['filter[state][constructor]=x', 'filter[state][constructor]'],
    ['filter[state][toString]=x', 'filter[state][toString]'],
    ['filter[hasOwnProperty]=x', 'filter[hasOwnProperty]'],
    ['filter[state]=created&filter[state][eq]=created', 'filter[state][eq]'],
    ['filter[state][in][]=created&filter[state][in][0]=created', 'filter[state][in][0]'],
    ['filter[state][in][]=created&filter[state]=created', 'filter[state]'],
    ['filter[state', 'filter[state'],
    ['filter[]=x', 'filter[]'],
    ['filter[][state]=x', 'filter[][state]'],
    ['filter[state]]=x', 'filter[state]]'],
    ['filter[state]x=x', 'filter[state]x'],
    ['filter[[state]]=x', 'filter[[state]]'],
  ])('to %s', async (query, parameter) => {
    expect(refusals(await get(query))).toEqual([`400 invalid_filter ${parameter}`])
  })

  it('to nesting, lists and numbers of conditions beyond any use', async () => {
    const deep = (depth: number) => `filter${'[not]'.repeat(depth)}[state]=created`
    const hostile = [
      deep(9),
      deep(500),
      `filter${'[a]'.repeat(2_000)}=x`,
      `filter[or]${'[0][or]'.repeat(200)}[0][state]=created`,
      `filter${'[block][items]'.repeat(30)}[state]=created`,
      Array.from({ length: 101 }, (_, n) => `filter[or][${n}][state]=created`).join('&'),
      Array.from({ length: 60 }, (_, n) => `filter[or][${n}][block][height]=1`).join('&'),
      Array.from({ length: 900 }, (_, n) => `filter[a${n}]=`).join('&'),
      Array.from({ length: 260 }, () => 'filter[display_name][in][]=x').join('&'),
    ]
    for (const query of hostile)
      for (const answer of refusals(await get(query))) expect(answer).toMatch(/^400 invalid_filter filter/)
    pageOf(await get(deep(5)))
  })

  it('never in a way that echoes what was sent, but for the name of the parameter', async () => {
    const answer = await get('filter[state]=SECRET%F0%9F%92%A9')
    expect(answer.text).not.toContain('SECRET')
  })
})

describe('other refusals of a list', () => {
  it.each([
    ['sort=nosuch', '400 invalid_sort sort'],
    ['sort=', '400 invalid_sort sort'],
    ['sort=state', '400 invalid_sort sort'],
    ['sort=display_name,', '400 invalid_sort sort'],
    ['sort=--id', '400 invalid_sort sort'],
    ['sort=tags', '400 invalid_sort sort'],
    ['sort=display_name,-display_name', '400 invalid_sort sort'],
    ['sort=block.height', '400 invalid_sort sort'],
    ['sort=__proto__', '400 invalid_sort sort'],
    [`sort=${'id,'.repeat(2_000)}id`, '400 invalid_sort sort'],
    ['include=nosuch', '400 invalid_includes include'],
    ['include=team,', '400 invalid_includes include'],
    ['include=block.nosuch', '400 invalid_includes include'],
    ['include=state', '400 invalid_includes include'],
    ['include=__proto__', '400 invalid_includes include'],
    ['include=block.previous.previous.previous.previous', '400 invalid_includes include'],
    [`include=${'block,'.repeat(40)}block`, '400 invalid_includes include'],
    ['fields[item]=nosuch', '400 invalid_field fields[item]'],
    ['fields[item]=state,,tags', '400 invalid_field fields[item]'],
    ['fields[nosuch]=state', '400 invalid_field fields[nosuch]'],
    ['fields[__proto__]=state', '400 invalid_field fields[__proto__]'],
    ['fields[item]=constructor', '400 invalid_field fields[item]'],
    ['fields=state', '400 invalid_field fields'],
    ['fields[item][state]=x', '400 invalid_field fields[item][state]'],
    ['page[offset]=-1', '400 invalid_pagination page[offset]'],
    ['page[offset]=1.5', '400 invalid_pagination page[offset]'],
    ['page[count]=yes', '400 invalid_pagination page[count]'],
  ])('to %s', async (query, told) => {
    expect(refusals(await get(query))).toEqual([told])
  })

  it.each([
    ['sort=nosuch', ['id', 'display_name', 'inserted_at']],
    ['filter[block][nosuch]=1', expect.arrayContaining(['id', 'height', 'block_hash', 'previous', 'items'])],
    ['filter[tags][like]=x', expect.arrayContaining(['has', 'is_nil'])],
  ])('names what there is instead: %s', async (query, valid) => {
    const { errors } = Object((await get(query)).json())
    expect(errors[0].meta.valid.toSorted()).toEqual(Array.isArray(valid) ? valid.toSorted() : valid)
    expect(errors[0].detail).toContain(errors[0].meta.valid.join(', '))
  })

  it('names a field that is sorted by twice as that', async () => {
    const { errors } = Object((await get('sort=id,-id')).json())
    expect(errors[0].detail).toBe('names a field twice')
  })

  it('names every mistake of a request at once', async () => {
    expect(
      refusals(await get('filter[x]=1&sort=x&include=x&fields[item]=x&page[limit]=0&page[count]=x')),
    ).toEqual([
      '400 invalid_field fields[item]',
      '400 invalid_filter filter[x]',
      '400 invalid_includes include',
      '400 invalid_pagination page[count]',
      '400 invalid_pagination page[limit]',
      '400 invalid_sort sort',
    ])
  })

  it('refuses U+0000 anywhere', async () => {
    for (const query of [
      'filter[display_name]=a%00',
      'filter[%00]=a',
      'sort=%00',
      'include=%00',
      'fields[item]=%00',
    ])
      expect((await get(query)).status).toBe(400)
  })

  it('takes an offset of any magnitude', async () => {
    const { data, links } = pageOf(await get(`page[offset]=${'9'.repeat(40)}`))
    expect([data, links.next]).toEqual([[], null])
  })
})

describe('400 query_too_expensive', () => {
  it('ends a filter, a count, an offset or an include five seconds after it came, and leaves the connection as it was', async () => {
    const [bob, carol] = [await app.account('bob'), await app.account('carol')]
    // Each server has three connections for such reads. Nobody waits for one here.
    const second = await openTestApp({ beside: app })
    const client = new pg.Client({ connectionString: app.database.url })
    await client.connect()
    try {
      // Whoever waits for this lock takes as long as the most expensive query there is.
      await client.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE')
      const began = performance.now()
      const [query, ...answers] = await Promise.all([
        askGraphql(second.port, bob.key, '{ listBlocks { results { id items { id } } } }'),
        ask(second.port, '/api/json/blocks?include=items', { key: carol.key }),
        ...['filter[display_name][contains]=x', 'page[count]=true'].map(get),
        ask(app.port, '/api/json/items?page[offset]=1', { key: bob.key }),
      ])
      const took = performance.now() - began
      expect(took).toBeGreaterThan(4_900)
      expect(took).toBeLessThan(14_500 * slowness())
      for (const answer of answers) expect(refusals(answer)).toEqual(['400 query_too_expensive'])
      expect(codesOf(query)).toEqual(['query_too_expensive'])
    } finally {
      await client.end()
      await second.close()
    }
    const settings = await Promise.all(
      Array.from({ length: 6 }, () =>
        rows<{ statement_timeout: string }>(app.store.em('expensive'), 'SHOW statement_timeout'),
      ),
    )
    expect(new Set(settings.flat().map((one) => one.statement_timeout))).toEqual(new Set(['5s']))
    pageOf(await get('filter[display_name][contains]=x&page[count]=true'))
  })
})
