// What holds of every resource alike: the size of its pages, their order, how times look, and what an unknown id is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import { ask } from '../../support/http.ts'
import { pageOf, refusals, withoutIds } from './documents.ts'
import { openPopulated, type Populated, pathOf } from './populated.ts'

let house: Populated
beforeAll(async () => {
  house = await openPopulated()
})
afterAll(() => house.app.close())

const get = (path: string) =>
  ask(house.app.port, path, { key: house.app.owner.key, headers: { tenant: house.team } })
const BY_OFFSET: ReadonlySet<string> = new Set(['item', 'webhook_delivery'])
const types = catalog.resources.flatMap(({ type, operations }) =>
  operations.some(({ kind }) => kind === 'list') ? [type] : [],
)

describe.each(types)('the list of %s', (type) => {
  it('has 25 a page, takes up to 250, and clamps what is above', async () => {
    for (const [asked, limit] of [
      ['', 25],
      ['?page[limit]=1', 1],
      ['?page[limit]=250', 250],
      ['?page[limit]=251', 250],
      [`?page[limit]=${'9'.repeat(40)}`, 250],
    ])
      expect(pageOf(await get(`${pathOf(type)}${asked}`)).meta.page.limit).toBe(limit)
    for (const limit of ['0', '-1', '1.5', 'x'])
      expect(refusals(await get(`${pathOf(type)}?page[limit]=${limit}`))).toEqual([
        '400 invalid_pagination page[limit]',
      ])
  })

  it('is newest first', async () => {
    const ids = pageOf(await get(pathOf(type))).data.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted().reverse())
  })

  it('takes an offset only where it is supported', async () => {
    const answer = await get(`${pathOf(type)}?page[offset]=1`)
    if (BY_OFFSET.has(type)) expect(pageOf(answer).links.prev).not.toBeNull()
    else expect(refusals(answer)).toEqual(['400 invalid_pagination page[offset]'])
  })

  it('shows its times in UTC, to the millisecond', async () => {
    const times = Object.entries(catalog.related(type).fields).filter(
      ([, { kind }]) => kind.name === 'instant',
    )
    const shown = pageOf(await get(`${pathOf(type)}?page[limit]=250`)).data.flatMap(({ attributes }) =>
      times.map(([name]) => attributes[name]),
    )
    for (const time of shown)
      if (time !== null) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })
})

describe.each(
  types.filter(
    (type) => type !== 'beacon' && catalog.related(type).operations.some(({ kind }) => kind === 'get'),
  ),
)('one %s', (type) => {
  it('is the same 404 for an unknown id and a malformed one', async () => {
    const unknown = await get(`${pathOf(type)}/${newUuid7()}`)
    expect(refusals(unknown)).toEqual(['404 not_found'])
    for (const id of [
      'x',
      '%00',
      '%',
      "'",
      newUuid7().slice(1),
      '01MB78W7FGY7TZHKNWE7WA3Z57',
      'x'.repeat(2_000),
    ])
      expect(withoutIds(await get(`${pathOf(type)}/${id}`)), id).toEqual(withoutIds(unknown))
  })
})

it('a walk by offset shows every row once, and its links say where the others are', async () => {
  const all = (await house.all('item')).map(({ id }) => id).reverse()
  const seen: string[] = []
  let address: string | null = `${pathOf('item')}?page[limit]=50&page[offset]=0&page[count]=true`
  for (let offset = 0; address !== null; offset += 50) {
    const { data, links, meta } = pageOf(await get(address))
    seen.push(...data.map(({ id }) => id))
    const at = (link: string | null) => link && new URL(link).searchParams.get('page[offset]')
    expect([at(links.first), at(links.self), at(links.prev)]).toEqual([
      '0',
      String(offset),
      offset === 0 ? null : String(offset - 50),
    ])
    expect(meta.page).toEqual({ limit: 50, total: all.length })
    address = links.next?.slice(house.app.base.length) ?? null
  }
  expect(seen).toEqual(all)
})
