// The memory of beacons answers what it was given, by both names, and forgets the least recently asked.
import { expect, it } from 'vitest'
import { createBeaconMemory } from '../../../server/domain/beacons/beacon_memory.ts'

const placed = (height: number) => ({
  height,
  beacon: {
    id: `id ${height}`,
    hash: `hash ${height}`,
    timestamp: 'then',
    previous_hash: `hash ${height - 1}`,
  },
})

it('answers a beacon by id and by hash once it was read, and nothing it was not given', () => {
  const memory = createBeaconMemory()
  expect(memory.remember(placed(1))).toEqual(placed(1).beacon)
  expect(memory.byId('id 1')).toEqual(memory.byHash('hash 1'))
  expect([memory.byId('id 2'), memory.byHash('constructor'), memory.remember(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it('keeps to its size, and forgets what was asked for longest ago', () => {
  const memory = createBeaconMemory(2)
  for (const height of [1, 2]) memory.remember(placed(height))
  memory.byHash('hash 1')
  memory.remember(placed(3))
  expect([1, 2, 3].map((height) => memory.byHash(`hash ${height}`)?.id)).toEqual(['id 1', undefined, 'id 3'])
})
