// GET /api/json/beacons: the page document, its order, its size and its links.
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { insertBlocks } from './crowd.ts'
import { bareBeacon, pageOf, refusals } from './documents.ts'

const app = testApp()
beforeAll(async () => {
  await insertBlocks(app.query, HEIGHT - 1)
  await app.finalize()
})

const HEIGHT = 259
const list = (query: string) => ask(app.port, `/api/json/beacons${query}`, { key: app.owner.key })

describe('the list of beacons', () => {
  it('is a document: resources, encoded links, effective limit, total on request', async () => {
    const { data, links, meta } = pageOf(await list('?page[limit]=2&page[count]=true'))
    expect(data).toHaveLength(2)
    for (const one of data) {
      expect(one.type).toBe('beacon')
      expect(Object.keys(one.attributes)).toEqual(['hash', 'timestamp', 'previous_hash'])
      bareBeacon.parse({ id: one.id, ...one.attributes })
    }
    const root = `${app.base}/api/json/beacons?`
    expect(links.first).toBe(`${root}page%5Bcount%5D=true&page%5Blimit%5D=2`)
    expect(links.self).toBe(links.first)
    expect(links.next).toMatch(
      /\/api\/json\/beacons\?page%5Bafter%5D=[A-Za-z0-9_-]+&page%5Bcount%5D=true&page%5Blimit%5D=2$/,
    )
    expect(links.prev).toBeNull()
    expect(meta.page).toEqual({ limit: 2, total: HEIGHT + 1 })
  })

  it('has 25 beacons, newest first, and no total unless asked', async () => {
    const { data, meta } = pageOf(await list(''))
    expect(data).toHaveLength(25)
    expect(meta.page).toEqual({ limit: 25 })
    const hashes = data.map(({ attributes }) => attributes.hash)
    expect(data.slice(0, -1).map(({ attributes }) => attributes.previous_hash)).toEqual(hashes.slice(1))
    expect(data.map(({ id }) => id)).toEqual(
      data
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    )
    const head = await ask(app.port, '/api/json/beacons/latest', { key: app.owner.key })
    expect(head.json()).toMatchObject({ hash: hashes[0] })
  })

  it('walks with sort=id from genesis to the head by links.next alone, and back by links.prev', async () => {
    const seen: string[] = []
    let previous: unknown
    let last = ''
    for (let next: string | null = '?sort=id&page[limit]=100'; next !== null; ) {
      const { data, links } = pageOf(await list(next))
      for (const { id, attributes } of data) {
        if (previous !== undefined) expect(attributes.previous_hash).toBe(previous)
        previous = attributes.hash
        seen.push(id)
      }
      expect(links.prev === null).toBe(seen.length <= 100)
      last = new URL(links.self).search
      next = links.next === null ? null : new URL(links.next).search
    }
    expect(seen).toHaveLength(HEIGHT + 1)
    const back: string[] = []
    for (let prev: string | null = last; prev !== null; ) {
      const { data, links } = pageOf(await list(prev))
      back.unshift(...data.map(({ id }) => id))
      prev = links.prev === null ? null : new URL(links.prev).search
    }
    expect(back).toEqual(seen)
  })

  it('clamps a limit over the maximum, never rejects it; the clamped page is complete and links.next goes on from its end', async () => {
    for (const limit of ['251', '99999', '9'.repeat(400), '000000000000000000000251']) {
      const { data, meta, links } = pageOf(await list(`?page[limit]=${limit}`))
      expect(meta.page).toEqual({ limit: 250 })
      expect(data).toHaveLength(250)
      expect(links.next).toContain('page%5Blimit%5D=250')
      const rest = pageOf(await list(new URL(links.next ?? '').search))
      expect(rest.data).toHaveLength(HEIGHT + 1 - 250)
      expect(rest.data[0]?.attributes.hash).toBe(data.at(-1)?.attributes.previous_hash)
      expect(rest.links.next).toBeNull()
    }
  })

  it('takes 1 and 250 as they are', async () => {
    expect(pageOf(await list('?page[limit]=1')).data).toHaveLength(1)
    expect(pageOf(await list('?page%5Blimit%5D=250')).data).toHaveLength(250)
  })

  it('has links.next null on the last page even when that is exactly full', async () => {
    const { data, links } = pageOf(await list('?page[limit]=130'))
    const last = pageOf(await list(new URL(links.next ?? '').search))
    expect([data.length, last.data.length, last.links.next]).toEqual([130, 130, null])
  })

  it('ignores unknown parameters, the old limit among them, and carries them in its links', async () => {
    const { data, meta, links } = pageOf(await list('?limit=3&page[size]=2&colour=blue&page=7'))
    expect([data.length, meta.page.limit]).toEqual([25, 25])
    expect(links.first).toBe(
      `${app.base}/api/json/beacons?colour=blue&limit=3&page=7&page%5Blimit%5D=25&page%5Bsize%5D=2`,
    )
  })

  it('total does not depend on the page', async () => {
    const { links } = pageOf(await list('?page[limit]=100&page[count]=true'))
    expect(pageOf(await list(new URL(links.next ?? '').search)).meta.page).toEqual({ limit: 100, total: 260 })
    expect(pageOf(await list('?page[count]=false')).meta.page).toEqual({ limit: 25 })
  })
})

describe('400 of the list of beacons', () => {
  it.each(['0', '-1', '1.5', 'abc', '', '1e3', '0x10', '+5', ' 5', '٣', '00', '5,5', 'null'])(
    'refuses page[limit]=%j as invalid_pagination',
    async (value) => {
      const answer = await list(`?page[limit]=${encodeURIComponent(value)}`)
      expect(refusals(answer)).toEqual(['400 invalid_pagination page[limit]'])
    },
  )

  it.each(['0', '10', '-1', '1.5', 'abc', ''])(
    'refuses page[offset]=%j: beacons are paged by cursors alone',
    async (value) => {
      expect(refusals(await list(`?page[offset]=${value}`))).toEqual(['400 invalid_pagination page[offset]'])
    },
  )

  it.each(['1', 'TRUE', '', 'yes'])('refuses page[count]=%j', async (value) => {
    expect(refusals(await list(`?page[count]=${value}`))).toEqual(['400 invalid_pagination page[count]'])
  })

  it.each(['hash', '-timestamp', 'height', '', '--id'])('refuses sort=%j as invalid_sort', async (value) => {
    expect(refusals(await list(`?sort=${value}`))).toEqual(['400 invalid_sort sort'])
  })

  it('tells all mistakes at once', async () => {
    expect(refusals(await list('?page[limit]=x&page[count]=x&page[offset]=x&sort=x'))).toEqual([
      '400 invalid_pagination page[count]',
      '400 invalid_pagination page[limit]',
      '400 invalid_pagination page[offset]',
      '400 invalid_sort sort',
    ])
  })

  it('refuses U+0000 in any parameter, also in one it would ignore', async () => {
    expect(refusals(await list('?colour=%00'))).toEqual(['400 invalid_argument colour'])
  })
})
