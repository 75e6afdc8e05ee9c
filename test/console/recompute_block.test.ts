// The recomputation the console does in the browser, against known answers of the proof format (proof-vectors.json, `blocks`).
import { describe, expect, it } from 'vitest'
import { type Block, readBlockDocument } from '../../console-web/src/blocks/block.ts'
import { GENESIS_PREVIOUS_HASH, recomputeBlock } from '../../console-web/src/blocks/recompute_block.ts'
import { readBeacon } from '../../console-web/src/connection/read_beacon.ts'
import type { Beacon } from '../../shared/wire/console_stream.ts'

const beacon: Beacon = {
  id: '01a2ce8c-be60-74a1-9884-d675915e9850',
  hash: '63259f16ccd7022ef0eba226b9f092d5fbdccc928ade926ce34b8abb0087f5cc',
  timestamp: '2027-01-01T00:01:00.000Z',
  previous_hash: 'e32c0898644e18198d0caf21f336c80d17ed2cf332d531210643eca70ea4703b',
}
const attributes = {
  height: 1,
  block_hash: beacon.hash,
  previous_block_hash: beacon.previous_hash,
  merkle_root: '523c0fc3673a9f1106620835b693eb6d4ac9598bf426a167a70556fe7153ae64',
  metadata: {},
  metadata_hash: '14fe55ee4ce3cdbc8118a0a28e5a80a44f1f8a24d73d9949c0ecd91ee582ebe1',
  signing_key_id: '591f29fc',
  finalized_at: beacon.timestamp,
}
const blockWith = (change: Partial<typeof attributes>): Block =>
  readBlockDocument({ data: { type: 'block', id: beacon.id, attributes: { ...attributes, ...change } } })
const failing = (of: Beacon, block: Block): string[] =>
  recomputeBlock(of, block)
    .steps.filter((step) => !step.ok)
    .map((step) => step.name)

describe('recomputeBlock', () => {
  it('confirms a block of the published vectors', () => {
    expect(recomputeBlock(beacon, blockWith({}))).toMatchObject({ ok: true })
  })

  it('confirms the genesis block with its key event', () => {
    const genesis: Beacon = {
      id: '01a2ce8b-d400-7dfb-ac75-960649a0cc84',
      hash: beacon.previous_hash,
      timestamp: '2027-01-01T00:00:00.000Z',
      previous_hash: GENESIS_PREVIOUS_HASH,
    }
    const metadata = {
      key_event: {
        type: 'genesis',
        sequence: 0,
        key_id: '591f29fc',
        public_key: 'A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=',
        prerotation_commitment: 'a12d90449cc8ea3c57d19e8d518ed4114e0c3043455d92a01e4477648686e548',
      },
    }
    const block = blockWith({
      metadata,
      merkle_root: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      metadata_hash: '5e02f9276d65508b235c2ea10a053783dd430e79729358635998322eac850634',
    })
    expect(failing(genesis, block)).toEqual([])
  })

  it('an honest block does not vouch for a beacon that says something else', () => {
    const other = 'f'.repeat(64)
    expect(failing({ ...beacon, previous_hash: other }, blockWith({}))).toEqual(['Block hash'])
    expect(failing({ ...beacon, hash: other }, blockWith({}))).toEqual(['Block hash'])
    expect(failing({ ...beacon, timestamp: '2027-01-01T00:01:00.001Z' }, blockWith({}))).toEqual([
      'Time in the id',
    ])
  })

  it('any part of the block that was changed shows', () => {
    expect(failing(beacon, blockWith({ merkle_root: '0'.repeat(64) }))).toEqual(['Block hash'])
    expect(failing(beacon, blockWith({ signing_key_id: '591f29fd' }))).toEqual(['Block hash'])
    expect(failing(beacon, blockWith({ metadata: { note: 1 } }))).toEqual(['Metadata hash', 'Block hash'])
    expect(failing(beacon, blockWith({ metadata_hash: '0'.repeat(64) }))).toEqual(['Metadata hash'])
  })
})

describe('readBeacon', () => {
  it('takes exactly the four fields, and nothing that is not a beacon', () => {
    expect(readBeacon({ ...beacon, state: 'finalized' })).toEqual(beacon)
    for (const name of ['id', 'hash', 'timestamp', 'previous_hash'])
      expect(readBeacon({ ...beacon, [name]: 'x' })).toBeNull()
    expect(readBeacon(null)).toBeNull()
    expect(readBeacon({ ...beacon, hash: beacon.hash.toUpperCase() })).toBeNull()
  })
})
