// Makes chains of blocks quickly, and says whether what a client was told is one.
import { expect } from 'vitest'
import { beaconsAbove } from '../../../server/domain/beacons/beacon.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { TestLedger } from '../../support/ledger.ts'

/** Blocks one after the other, as fast as they go: two do not fit into one millisecond. */
export async function makeBlocks(ledger: TestLedger, count: number): Promise<void> {
  for (let made = 0; made < count; ) if ((await ledger.finalize()).outcome === 'finalized') made += 1
}

/** Every beacon of the ledger above a height. */
export async function chainAbove(ledger: TestLedger, height: number): Promise<Beacon[]> {
  const placed = await beaconsAbove(ledger.store.em(), height, 1_000_000)
  return placed.map(({ beacon }) => beacon)
}

/** Told exactly these, in this order: nothing missing, repeated or moved. The first difference is what the failure shows. */
export function expectChain(told: readonly Beacon[], chain: readonly Beacon[]): void {
  const wrong = chain.findIndex((beacon, index) => told[index]?.id !== beacon.id)
  expect({ wrong, told: told.length, at: wrong < 0 ? undefined : told[wrong] }).toEqual({
    wrong: -1,
    told: chain.length,
    at: undefined,
  })
  expect(told.at(-1)).toEqual(chain.at(-1))
}
