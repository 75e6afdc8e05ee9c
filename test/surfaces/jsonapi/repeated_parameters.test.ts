// Lists in the query, as different clients write them: with commas or repeated, with empty, numbered or no brackets.
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, pageOf, refusals, resourceOf } from './documents.ts'
import { itemBody } from './item_documents.ts'

const app = testApp()
const ids: string[] = []
beforeAll(async () => {
  for (let made = 0; made < 3; made += 1)
    ids.push(
      resourceOf(await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody() }), 201).id,
    )
})

const list = async (query: string) => {
  const answer = await ask(app.port, `/api/json/items?${query}`, { key: app.owner.key })
  expect(answer.status, answer.text).toBe(200)
  return pageOf(answer)
}

describe('a list in the query', () => {
  it('of values may have empty, numbered or no brackets, and be mixed', async () => {
    const [a = '', , c = ''] = ids
    for (const [first, second] of [
      ['[]', '[]'],
      ['[0]', '[1]'],
      ['', ''],
      ['', '[]'],
      ['[]', ''],
    ]) {
      const { data } = await list(`filter[id][in]${first}=${a}&filter[id][in]${second}=${c}&sort=id`)
      expect(
        data.map(({ id }) => id),
        `${first} ${second}`,
      ).toEqual([a, c])
    }
    expect((await list(`filter[id][in]=${a}`)).data).toHaveLength(1)
  })

  it('of words is the same with commas and repeated', async () => {
    const rows = async (query: string) => (await list(query)).data
    expect(await rows('sort=-display_name&sort=id')).toEqual(await rows('sort=-display_name,id'))
    const both = await ask(app.port, '/api/json/items?include=creator&include=team', { key: app.owner.key })
    expect((both.json() as { included: unknown[] }).included).toHaveLength(2)
    const [one] = await rows('fields[item]=state&fields[item]=tags')
    expect(Object.keys(one?.attributes ?? {}).sort()).toEqual(['state', 'tags'])
  })

  it('keeps its ceilings and its rules when it is repeated', async () => {
    const asked = async (query: string) =>
      refusals(await ask(app.port, `/api/json/items?${query}`, { key: app.owner.key }))
    expect(await asked('sort=id&sort=-id')).toEqual(['400 invalid_sort sort'])
    expect(await asked(Array(17).fill('include=team').join('&'))).toEqual(['400 invalid_includes include'])
    expect(await asked('filter[state][in][0]=created&filter[state][in]=committed')).toEqual([
      '400 invalid_filter filter[state][in]',
    ])
  })
})

describe('a parameter that takes one value', () => {
  const asked = (path: string) => ask(app.port, path, { key: app.owner.key })

  it.each([
    ['page[limit]=1&page[limit]=2', 'invalid_pagination page[limit]'],
    ['page[offset]=0&page[offset]=0', 'invalid_pagination page[offset]'],
    ['page[count]=true&page[count]=false', 'invalid_pagination page[count]'],
    ['page[after]=x&page[after]=y', 'invalid_pagination page[after]'],
    ['page[before]=x&page[before]=y', 'invalid_pagination page[before]'],
    ['filter[state]=created&filter[state]=committed', 'invalid_filter filter[state]'],
    ['filter[tags][has]=a&filter[tags][has]=b', 'invalid_filter filter[tags][has]'],
    ['filter[or][0][state]=created&filter[or][0][state]=created', 'invalid_filter filter[or][0][state]'],
    ['filter[state][in][0]=created&filter[state][in][0]=committed', 'invalid_filter filter[state][in][0]'],
  ])('is refused when it is given twice, instead of one value being left out: %s', async (query, refusal) => {
    const answer = await asked(`/api/json/items?${query}`)
    expect(refusals(answer)).toEqual([`400 ${refusal}`])
    expect(errorsOf(answer)[0]?.detail).toBe('is given more than once')
  })

  it.each([
    ['filter[state]=created&filter[state][not_eq]=committed', 'filter[state][not_eq]'],
    ['filter[state][not_eq]=committed&filter[state]=created', 'filter[state]'],
    ['filter[id][in][]=x&filter[id][in][gt]=x', 'filter[id][in][gt]'],
    ['filter[id][in][0]=x&filter[id][in]=x', 'filter[id][in]'],
  ])(
    'is not said to be repeated when it is a value in one place and has more brackets in another: %s',
    async (query, parameter) => {
      const answer = await asked(`/api/json/items?${query}`)
      expect(refusals(answer)).toEqual([`400 invalid_filter ${parameter}`])
      expect(errorsOf(answer)[0]?.detail).toBe(
        'one name is given a value of its own and, in brackets after it, operators or numbers: give one or the other',
      )
    },
  )

  it('names one team, however often', async () => {
    const { teamId } = app.owner
    expect((await asked(`/api/json/items?tenant=${teamId}&tenant=${teamId}`)).status).toBe(200)
    for (const path of ['/api/json/items', '/gql']) {
      const answer = await asked(`${path}?tenant=${teamId}&tenant=x`)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('invalid_tenant')])
    }
  })

  it('of a read that is no list is refused too', async () => {
    const made = await ask(app.port, '/api/json/webhook-endpoints', {
      key: app.owner.key,
      body: {
        json: {
          data: {
            type: 'webhook_endpoint',
            attributes: { kind: 'pull', resource_type: 'item', events: ['item.created'] },
          },
        },
      },
    })
    const path = `/api/json/webhook-endpoints/${resourceOf(made, 201).id}/events`
    expect((await asked(`${path}?wait=0`)).status).toBe(200)
    const answer = await asked(`${path}?wait=0&wait=30`)
    expect(refusals(answer)).toEqual(['400 invalid_argument wait'])
    expect(errorsOf(answer)[0]?.detail).toBe('is given more than once')
  })

  it('of GraphQL is refused too', async () => {
    for (const name of ['query', 'operationName', 'variables']) {
      const answer = await asked(`/gql?query={__typename}&${name}={}&${name}={}`)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('is given more than once')])
    }
  })
})
