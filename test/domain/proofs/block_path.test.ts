// An item whose block is not the one after its witness carries the way between the two; its proof costs no more queries.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { MAX_BLOCKS_BETWEEN } from '../../../server/domain/proofs/find_subject.ts'
import { MAX_PROOF_BYTES } from '../../../server/domain/proofs/proof_request.ts'
import { type FaultProxy, openFaultProxy } from '../../support/fault_proxy.ts'
import { rows } from '../../support/rows.ts'
import { openProofGround, type ProofGround, refusalOf } from './proof_ground.ts'

let ground: ProofGround
let proxy: FaultProxy
beforeAll(async () => {
  proxy = await openFaultProxy(inject('postgresUrl'))
  ground = await openProofGround(proxy.through)
})
afterAll(async () => {
  await ground?.close()
  await proxy?.close()
})

/** An item that is out of sight while so many blocks are made, as if its transaction was still open. */
async function lateItem(blocks: number, description: string): Promise<string> {
  const { store, submit, finalize } = ground.ledger
  const claims = { name: 'late', hash: 'ab'.repeat(32), hash_type: 'sha256', metadata: { description } }
  const [item] = await submit({ claims: submittedClaims(claims) })
  const id = item?.id ?? ''
  await rows(store.em(), 'DELETE FROM waiting_moments')
  while (blocks > 0) if ((await finalize()).outcome === 'finalized') blocks -= 1
  await rows(store.em(), 'INSERT INTO waiting_moments (moment, items) VALUES (left($1, 10), 1)', [id])
  while ((await finalize()).outcome !== 'finalized');
  return id
}

const LARGE_CLAIMS = 'x'.repeat(65_000)

describe('a late item', () => {
  it.each([1, 2, 5])('carries the %i blocks between, oldest first', async (between) => {
    const id = await lateItem(between, 'a little')
    await ground.commit()
    const bundle = await ground.bundle({ type: 'item', id })
    expect(bundle.block_path).toHaveLength(between)
    const witness = bundle.subject?.witnesses?.block
    expect(witness).toBeDefined()
    const heights = await rows<{ height: number }>(
      ground.ledger.store.em(),
      'SELECT height FROM blocks WHERE id = ANY($1::text[]) ORDER BY array_position($1::text[], id)',
      [[...(bundle.block_path ?? []), bundle.block].map((block) => block.id)],
    )
    const [first] = heights
    expect(heights.map(({ height }) => height - (first?.height ?? 0))).toEqual([...Array(between + 1).keys()])
    const report = await ground.verify(JSON.stringify(bundle))
    expect(report.steps.filter(({ group }) => group === 'Witnesses').map(({ status }) => status)).toEqual([
      'pass',
      'pass',
    ])
  })

  it('carries no way when its block witness is left out', async () => {
    const id = await lateItem(2, 'a little')
    await ground.commit()
    expect(await ground.bundle({ type: 'item', id, witnesses: ['signing_key_event'] })).not.toHaveProperty(
      'block_path',
    )
  })

  it('takes as many statements as any other', async () => {
    const id = await lateItem(7, 'a little')
    const [plain] = await ground.ledger.submit({})
    await ground.ledger.finalize()
    await ground.commit()
    await ground.text({ type: 'item', id })
    proxy.takeStatements()
    await ground.text({ type: 'item', id })
    const late = proxy.takeStatements()
    await ground.text({ type: 'item', id: plain?.id ?? '' })
    expect(proxy.takeStatements()).toHaveLength(late.length)
    expect(late.length).toBeLessThanOrEqual(6)
  })

  it('with the longest way and the largest claims fits our own verification', {
    timeout: 120_000,
  }, async () => {
    const id = await lateItem(MAX_BLOCKS_BETWEEN, LARGE_CLAIMS)
    await ground.commit()
    const text = await ground.text({ type: 'item', id })
    expect(Buffer.byteLength(text)).toBeGreaterThan(180_000)
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_PROOF_BYTES - 16_384)
    expect((await ground.verify(text)).passed).toBe(true)
  })

  it('beyond that has no block witness to give, and a proof without it', { timeout: 120_000 }, async () => {
    const id = await lateItem(MAX_BLOCKS_BETWEEN + 1, 'a little')
    await ground.commit()
    expect(await refusalOf(ground.text({ type: 'item', id }))).toMatchObject({
      code: 'witness_unavailable',
      meta: { witness: 'block' },
    })
    const text = await ground.text({ type: 'item', id, witnesses: ['signing_key_event'] })
    expect((await ground.verify(text)).passed).toBe(true)
  })
})
