// What a calendar answers about a root fits behind what its clients have already, and what does not is counted.
import { expect, it } from 'vitest'
import { JsonText } from '../../../server/kernel/json_text.ts'
import { Refusal } from '../../../server/kernel/refusal.ts'
import { calendarTimestamp } from '../../../server/surfaces/doors/calendar.ts'
import { canonicalJson } from '../../../shared/proof/json_value.ts'
import type { PathStep } from '../../../shared/proof/merkle.ts'
import { type ItemParts, makeItem } from '../../proof/opentimestamps/item_bundle.ts'
import { readTimestamp } from '../../support/ots_reader.ts'

const ROOT = Buffer.alloc(32, 0xab)
const INPUT = {
  previousTransaction: new Uint8Array(32),
  previousOutput: 0,
  script: new Uint8Array(),
  sequence: 0,
}
const PLAIN: ItemParts = {
  claims: { name: 'Pharos round 1', hash: ROOT.toString('hex'), hash_type: 'sha256' },
  ...{ inclusion: [], epoch: [], outputsInFront: 0, others: [], othersInFront: 0 },
  transaction: { version: 2, inputs: [{ ...INPUT, witness: [] }], outputs: [], lockTime: 0 },
  ...{ height: 800_000, networks: ['mainnet'] },
}
const right = (count: number): PathStep[] =>
  Array.from({ length: count }, () => ({ side: 'right' as const, hash: new Uint8Array(32).fill(2) }))

/** The bytes, or the reason why there are none; and what was counted. */
function answered(parts: Partial<ItemParts>, isLocal = false) {
  const counted: string[] = []
  const made = makeItem({ ...PLAIN, ...parts })
  const bundle = new JsonText(canonicalJson(made.document))
  try {
    const attesting = { isLocal, onInexpressible: (reason: string) => void counted.push(reason) }
    return { bytes: calendarTimestamp(bundle, attesting), root: Buffer.from(made.merkleRoot), counted }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(error.code).toBe('not_found')
    return { reason: error.problems[0]?.meta?.reason, counted }
  }
}

it('leads from the root to the header', () => {
  const { bytes = new Uint8Array(), root, counted } = answered({ inclusion: right(12), epoch: right(7) })
  expect(readTimestamp(bytes, ROOT)).toMatchObject({
    attestations: [{ height: 800_000, message: root }],
    pending: [],
  })
  expect(counted).toEqual([])
})

it('has 165 operations at most, so that 50 of the largest round and 40 of the client fit before it', () => {
  const { bytes = new Uint8Array() } = answered({ inclusion: right(49) })
  expect(readTimestamp(bytes, ROOT).operations).toBe(165)
  expect(answered({ inclusion: right(49), epoch: [{ side: 'left', hash: new Uint8Array(32) }] })).toEqual({
    reason: 'too_deep',
    counted: ['too_deep'],
  })
})

it('is not there when it is longer than clients read', () => {
  const outputs = [{ value: 0n, script: new Uint8Array(4_096) }]
  expect(answered({ transaction: { ...PLAIN.transaction, outputs } })).toEqual({
    reason: 'too_long',
    counted: ['too_long'],
  })
  // Each part is short enough, and all together are not.
  const description = 'x'.repeat(3_900)
  const long = { outputs: [{ value: 0n, script: new Uint8Array(3_900) }] }
  expect(
    answered({
      claims: { ...PLAIN.claims, metadata: { description } },
      transaction: { ...PLAIN.transaction, ...long },
      inclusion: right(49),
    }),
  ).toEqual({ reason: 'too_long', counted: ['too_long'] })
})

it('attests to mainnet for all, and to chains for trials on the same machine alone', () => {
  for (const network of ['testnet', 'regtest']) {
    expect(answered({ networks: [network] })).toEqual({ reason: 'other_network', counted: ['other_network'] })
    expect(answered({ networks: [network] }, true).bytes).toBeDefined()
  }
})

it('waits for Bitcoin without counting it', () => {
  expect(answered({ networks: [] })).toEqual({ reason: 'no_bitcoin_commitment', counted: [] })
})
