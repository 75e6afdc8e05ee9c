// The three single-beacon routes: bare objects, malformed 400, unknown 404.
import { beforeAll, describe, expect, it } from 'vitest'
import { uuid7From } from '../../../server/kernel/identifiers.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { beaconOf, pageOf, refusals, withoutIds } from './documents.ts'

const app = testApp()
beforeAll(async () => {
  await app.finalize(3)
})

const get = (path: string) => ask(app.port, `/api/json/beacons/${path}`, { key: app.owner.key })

describe('200 of the single-beacon routes', () => {
  it('answers a bare object with exactly four fields, the same one by id, by hash and as the head', async () => {
    const head = beaconOf(await get('latest'))
    expect(Object.keys(head)).toEqual(['id', 'hash', 'timestamp', 'previous_hash'])
    expect(beaconOf(await get(head.id))).toEqual(head)
    expect(beaconOf(await get(`by-hash/${head.hash}`))).toEqual(head)
    const list = await ask(app.port, '/api/json/beacons?page[limit]=1', { key: app.owner.key })
    expect(pageOf(list).data[0]?.id).toBe(head.id)
  })

  it('downcases an uppercase hash and an uppercase id', async () => {
    const head = beaconOf(await get('latest'))
    expect(beaconOf(await get(`by-hash/${head.hash.toUpperCase()}`))).toEqual(head)
    expect(beaconOf(await get(head.id.toUpperCase()))).toEqual(head)
  })

  it('follows previous_hash to genesis, whose predecessor is a sentinel and not a beacon', async () => {
    let beacon = beaconOf(await get('latest'))
    for (let height = 3; height > 0; height -= 1)
      beacon = beaconOf(await get(`by-hash/${beacon.previous_hash}`))
    expect(refusals(await get(`by-hash/${beacon.previous_hash}`))).toEqual(['404 not_found'])
  })

  it('answers the new head as soon as the block is committed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const before = beaconOf(await get('latest'))
      await app.finalize()
      const [row] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
      const seen = await newHead(before.id)
      expect(seen).toBe(row?.id)
    }
  })

  const newHead = async (old: string): Promise<string> => {
    for (let tries = 0; tries < 500; tries += 1) {
      const { id } = beaconOf(await get('latest'))
      if (id !== old) return id
    }
    return old
  }

  it('has the very fields of the block it projects', async () => {
    const head = beaconOf(await get('latest'))
    const block = await ask(app.port, `/api/json/blocks/${head.id}`, { key: app.owner.key })
    expect(block.json()).toMatchObject({
      data: {
        type: 'block',
        id: head.id,
        attributes: {
          block_hash: head.hash,
          finalized_at: head.timestamp,
          previous_block_hash: head.previous_hash,
        },
      },
    })
  })
})

describe('400 of the single-beacon routes', () => {
  const V4 = '0b6e7c7c-3a52-4a8f-9d6e-0c2f5b7f9a11'
  const ULID = '01MB78W7FGY7TZHKNWE7WA3Z57'
  it.each([
    'x',
    '1',
    V4,
    ULID,
    `${V4}0`,
    '%00',
    '%',
    '%zz',
    '%ff',
    '..%2f',
    'null',
    `{${V4}}`,
    ' ',
    'LATEST',
  ])('refuses id %j as invalid_argument', async (id) => {
    expect(refusals(await get(encodeURI(id).replaceAll('%25', '%')))).toEqual(['400 invalid_argument id'])
  })

  const HASH = 'ab'.repeat(32)
  it.each([
    'x',
    HASH.slice(1),
    `${HASH}0`,
    `${HASH.slice(1)}g`,
    `0x${HASH.slice(2)}`,
    `%00${HASH}`,
    '%',
    `${HASH}%0a`,
  ])('refuses hash %j as invalid_argument', async (hash) => {
    expect(refusals(await get(`by-hash/${hash}`))).toEqual(['400 invalid_argument hash'])
  })
})

describe('404 of the single-beacon routes', () => {
  it('is the same for every unknown id and hash, but for the id of the error', async () => {
    const some = uuid7From(Date.now(), new Uint8Array(10))
    const other = uuid7From(0, new Uint8Array(10).fill(255))
    const [one, two] = [await get(some), await get(other)]
    expect(refusals(one)).toEqual(['404 not_found'])
    expect(withoutIds(one)).toEqual(withoutIds(two))
    expect(withoutIds(await get(`by-hash/${'0'.repeat(64)}`))).toEqual(withoutIds(one))
    expect(one.text).not.toBe(two.text)
  })
})
