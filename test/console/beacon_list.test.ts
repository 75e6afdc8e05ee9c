// The list of beacons the console holds: order, repetition, bounds, links and what is said about the chain.

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { GENESIS_PREVIOUS_HASH } from '../../console-web/src/blocks/recompute_block.ts'
import { BeaconFeed } from '../../console-web/src/chain/beacon_feed.ts'
import {
  type BeaconList,
  chainProof,
  emptyList,
  insertBeacons,
  linkOf,
  rowState,
} from '../../console-web/src/chain/beacon_list.ts'
import { heldBack } from '../../console-web/src/data/stream/list_rules.ts'
import type { Beacon } from '../../shared/wire/console_stream.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Beacon number `n` of a sound chain, one a minute; number 0 is the genesis. */
const beaconAt = (n: number): Beacon => {
  const ms = Date.UTC(2027, 0, 1) + n * 60_000
  const time = ms.toString(16).padStart(12, '0')
  return {
    id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`,
    hash: hashOf(`block ${n}`),
    timestamp: new Date(ms).toISOString(),
    previous_hash: n === 0 ? GENESIS_PREVIOUS_HASH : hashOf(`block ${n - 1}`),
  }
}
const beacons = (from: number, to: number): Beacon[] =>
  Array.from({ length: to - from + 1 }, (_, index) => beaconAt(from + index))
const listOf = (...incoming: Beacon[]): BeaconList => insertBeacons(emptyList, incoming)
const unproven = (): undefined => undefined

describe('insertBeacons', () => {
  it('keeps the newest first, whatever the order of arrival', () => {
    const list = listOf(beaconAt(2), beaconAt(0), beaconAt(3), beaconAt(1))
    expect(list.rows).toEqual(beacons(0, 3).reverse())
  })

  it('shows no beacon twice, and changes nothing when nothing is new', () => {
    const list = insertBeacons(listOf(...beacons(0, 5)), beacons(3, 7))
    expect(list.rows).toEqual(beacons(0, 7).reverse())
    expect(insertBeacons(list, beacons(0, 7))).toBe(list)
  })

  it('drops the oldest beyond the limit', () => {
    const list = insertBeacons(listOf(...beacons(0, 4_999)), beacons(5_000, 5_002))
    expect(list.rows).toEqual(beacons(3, 5_002).reverse())
  })

  it('takes no loaded row away in a burst', () => {
    let list = listOf(...beacons(100, 349))
    const loaded = list.rows.map(({ id }) => id)
    for (let at = 350; at < 1_770; at += 1) {
      list = insertBeacons(list, [beaconAt(at)])
      if (at % 71 === 0) list = insertBeacons(list, beacons(at - 30, at))
    }
    expect(list.rows).toHaveLength(1_670)
    expect(list.rows.slice(-loaded.length).map(({ id }) => id)).toEqual(loaded)
  })

  it('stays bounded when a day and more is caught up in batches', () => {
    let list = listOf(...beacons(0, 49))
    for (let from = 50; from < 8_000; from += 250) list = insertBeacons(list, beacons(from, from + 249))
    expect(list.rows.length).toBe(5_000)
    expect(chainProof(list, unproven)).toMatchObject({ unbroken: 5_000, breaks: [] })
  })

  it('keeps the first of two different beacons with one id and calls it a conflict', () => {
    const other = { ...beaconAt(1), hash: hashOf('another') }
    const list = insertBeacons(listOf(beaconAt(0), beaconAt(1)), [other])
    expect(list.rows[0]).toEqual(beaconAt(1))
    expect([...list.conflicts]).toEqual([beaconAt(1).id])
    expect(chainProof(list, unproven).breaks).toEqual([{ beacon: beaconAt(1), why: 'conflict' }])
  })
})

describe('linkOf and rowState', () => {
  it('a link holds, is broken, is open at the end of what is held, or is the genesis', () => {
    const { rows } = listOf(beaconAt(0), beaconAt(1), { ...beaconAt(2), previous_hash: hashOf('elsewhere') })
    expect(linkOf(rows, 0, GENESIS_PREVIOUS_HASH)).toBe('broken')
    expect(linkOf(rows, 1, GENESIS_PREVIOUS_HASH)).toBe('holds')
    expect(linkOf(rows, 2, GENESIS_PREVIOUS_HASH)).toBe('genesis')
    expect(linkOf([beaconAt(1)], 0, GENESIS_PREVIOUS_HASH)).toBe('open')
  })

  it('a missing beacon in between is a broken link', () => {
    const { rows } = listOf(beaconAt(4), beaconAt(6))
    expect(linkOf(rows, 0, GENESIS_PREVIOUS_HASH)).toBe('broken')
  })

  it('a row is proven only when linked and recomputed; a wrong hash breaks it whatever its link', () => {
    expect(rowState('holds', false, true)).toBe('proven')
    expect(rowState('genesis', false, true)).toBe('proven')
    expect(rowState('holds', false, undefined)).toBe('linked')
    expect(rowState('open', false, true)).toBe('open')
    expect(rowState('open', false, false)).toBe('broken')
    expect(rowState('holds', true, true)).toBe('broken')
  })
})

describe('chainProof', () => {
  it('counts the unbroken run from the newest and says since when', () => {
    const list = listOf(...beacons(10, 19))
    const proof = chainProof(list, (id) => (id > beaconAt(14).id ? true : undefined))
    expect(proof).toEqual({ unbroken: 10, since: beaconAt(10).timestamp, recomputed: 5, breaks: [] })
  })

  it('a broken link ends the run and is named', () => {
    const bent = { ...beaconAt(5), previous_hash: hashOf('elsewhere') }
    const proof = chainProof(listOf(...beacons(0, 4), bent, ...beacons(6, 9)), unproven)
    expect(proof).toMatchObject({ unbroken: 5, since: bent.timestamp })
    expect(proof.breaks).toEqual([{ beacon: bent, why: 'link' }])
  })

  it('a beacon whose block hashes to something else is named', () => {
    const proof = chainProof(listOf(...beacons(0, 9)), (id) => id !== beaconAt(7).id)
    expect(proof.unbroken).toBe(2)
    expect(proof.breaks).toEqual([{ beacon: beaconAt(7), why: 'hash' }])
  })

  it('says nothing about an empty list', () => {
    expect(chainProof(emptyList, unproven)).toEqual({ unbroken: 0, since: null, recomputed: 0, breaks: [] })
  })
})

describe('the feed', () => {
  it('offers no older page once rows have left at the older end, because rows between would be missing', async () => {
    const { id, ...attributes } = beaconAt(1)
    const page = {
      data: [{ type: 'beacon', id, attributes }],
      links: { next: '/api/json/beacons?page[after]=1' },
    }
    const feed = new BeaconFeed(Object.assign(Object.create(null), { get: async () => page }))
    await feed.resumeAfter()
    for (const beacon of beacons(2, 4_999)) feed.received(beacon)
    await feed.resumeAfter()
    expect(feed.state.read().older.kind).toBe('idle')
    for (const beacon of beacons(5_000, 5_002)) feed.received(beacon)
    await feed.resumeAfter()
    expect(feed.state.read().older.kind).toBe('bounded')
    await feed.loadOlder()
    expect(feed.state.read().list.rows).toEqual(beacons(3, 5_002).reverse())
    feed.stop()
  })
})

describe('heldBack', () => {
  it('counts what a pause holds back, also when the row it stopped at is gone', () => {
    const { rows } = listOf(...beacons(10, 19))
    expect(heldBack({ rows, heldAt: beaconAt(19).id })).toBe(0)
    expect(heldBack({ rows, heldAt: beaconAt(16).id })).toBe(3)
    expect(heldBack({ rows, heldAt: beaconAt(2).id })).toBe(10)
  })
})
