// The memory of beacons answers what was read once, by both names, and forgets the least recently asked, or everything.
import { expect, it } from 'vitest'
import { BeaconMemory, type PlacedBeacon } from '../../../server/domain/beacons/beacon.ts'

const placed = (height: number, ledger = '') => ({
  height,
  beacon: {
    id: `id ${height}`,
    hash: `hash ${height}${ledger}`,
    timestamp: 'then',
    previous_hash: `hash ${height - 1}`,
  },
})
const nothing = async () => undefined
const never = (): never => {
  throw new Error('It was known.')
}

it('reads a beacon once, knows it by id and by hash then, and remembers nothing that is not there', async () => {
  const memory = new BeaconMemory()
  expect(await memory.byId('id 1', async () => placed(1))).toEqual(placed(1).beacon)
  expect(await memory.byId('id 1', never)).toEqual(await memory.byHash('hash 1', never))
  expect(await memory.byId('id 2', nothing)).toBeUndefined()
  expect(await memory.byHash('constructor', nothing)).toBeUndefined()
  expect(await memory.byId('id 2', async () => placed(2))).toEqual(placed(2).beacon)
})

it('keeps to its size, and forgets what was asked for longest ago', async () => {
  const memory = new BeaconMemory(2)
  for (const height of [1, 2]) await memory.byId(`id ${height}`, async () => placed(height))
  await memory.byHash('hash 1', never)
  await memory.byHash('hash 3', async () => placed(3))
  expect((await memory.byHash('hash 1', never))?.id).toBe('id 1')
  expect((await memory.byHash('hash 3', never))?.id).toBe('id 3')
  expect(await memory.byHash('hash 2', nothing)).toBeUndefined()
})

it('forgets everything when the chain was replaced, also what was being read in that moment', async () => {
  const memory = new BeaconMemory()
  await memory.byId('id 1', async () => placed(1))
  const late = Promise.withResolvers<PlacedBeacon>()
  const asked = memory.byId('id 2', () => late.promise)
  memory.forget()
  late.resolve(placed(2))
  expect(await asked).toEqual(placed(2).beacon)
  for (const height of [1, 2])
    expect((await memory.byId(`id ${height}`, async () => placed(height, ' new')))?.hash).toBe(
      `hash ${height} new`,
    )
})
