// Cursors are opaque, authenticated, and bound to their resource and sort.
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, pageOf, refusals } from './documents.ts'

const app = testApp()
let cursor = ''
beforeAll(async () => {
  await app.finalize(4)
  cursor = await cursorOf('/api/json/beacons?page[limit]=1')
})

const get = (path: string) => ask(app.port, path, { key: app.owner.key })
const cursorOf = async (path: string): Promise<string> =>
  new URL(pageOf(await get(path)).links.next ?? '').searchParams.get('page[after]') ?? ''

const keysets = ['after', 'before'] as const

describe.each(keysets)('page[%s]', (side) => {
  it('that does not decode is invalid_keyset, and says which', async () => {
    const answer = await get(`/api/json/beacons?page[${side}]=zzz`)
    expect(answer.status).toBe(400)
    const [{ id: _, ...entry } = { id: '' }] = errorsOf(answer)
    expect(entry).toEqual({
      status: '400',
      code: 'invalid_keyset',
      title: 'InvalidKeyset',
      detail: 'invalid keyset',
      source: { parameter: `page[${side}]` },
      meta: { value: 'zzz', key: side },
    })
  })

  it.each(['', '!', 'null', 'A'.repeat(5_000), '%F0%9F%92%A9', '1'])('refuses garbage %#', async (text) => {
    const answer = await get(`/api/json/beacons?page[${side}]=${text}`)
    expect(refusals(answer)).toEqual([`400 invalid_keyset page[${side}]`])
    expect(JSON.stringify(errorsOf(answer)[0]?.meta).length).toBeLessThan(400)
  })

  it('refuses a cursor with any of its bits changed', async () => {
    const bytes = Buffer.from(cursor, 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      const answer = await get(`/api/json/beacons?page[${side}]=${changed.toString('base64url')}`)
      expect(refusals(answer)).toEqual([`400 invalid_keyset page[${side}]`])
    }
  })

  it('refuses a cursor cut short, padded or spelled otherwise', async () => {
    for (const text of [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}=`,
      `${cursor}A`,
      `%20${cursor}`,
      `${cursor}%0a`,
    ])
      expect(refusals(await get(`/api/json/beacons?page[${side}]=${text}`))).toEqual([
        `400 invalid_keyset page[${side}]`,
      ])
  })

  it('refuses the cursor of another sort and of another resource', async () => {
    const forward = await cursorOf('/api/json/beacons?sort=id&page[limit]=1')
    const blocks = await cursorOf('/api/json/blocks?page[limit]=1')
    for (const [path, text] of [
      ['beacons?', forward],
      ['beacons?sort=-id&', forward],
      ['beacons?sort=id&', cursor],
      ['beacons?', blocks],
      ['items?', cursor],
      ['teams?', blocks],
    ])
      expect(refusals(await get(`/api/json/${path}page[${side}]=${text}`))).toEqual([
        `400 invalid_keyset page[${side}]`,
      ])
  })

  it('takes the cursor of the very sort, named or default', async () => {
    for (const query of ['', 'sort=-id&'])
      pageOf(await get(`/api/json/beacons?${query}page[${side}]=${cursor}`))
  })
})

describe('cursors together', () => {
  it('refuses page[after] with page[before] as invalid_pagination', async () => {
    const answer = await get(`/api/json/beacons?page[after]=${cursor}&page[before]=${cursor}`)
    expect(refusals(answer)).toEqual(['400 invalid_pagination page[before]'])
  })

  it.each(keysets)('refuses page[%s] with page[offset] as invalid_pagination', async (side) => {
    const answer = await get(`/api/json/beacons?page[${side}]=${cursor}&page[offset]=1`)
    expect(refusals(answer)).toEqual(['400 invalid_pagination page[offset]'])
  })
})
