// When there is no proof to be had, the reason is the right one; and no proof leaves that does not hold.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { createSigner } from '../../../server/domain/ledger/signing_key.ts'
import { WITNESS_NAMES } from '../../../server/domain/proofs/proof_request.ts'
import { retryAfterSeconds } from '../../../server/kernel/refusal.ts'
import { masterKey } from '../../../server/kernel/sealed.ts'
import { type FaultProxy, openFaultProxy } from '../../support/fault_proxy.ts'
import { claimsOf } from '../../support/ledger.ts'
import { redactItem, unredactItem } from '../../support/redaction.ts'
import { rows } from '../../support/rows.ts'
import { newTeam, newUser } from '../ledger/people.ts'
import { openProofGround, type ProofGround, refusalOf } from './proof_ground.ts'

const UNKNOWN_ULID = '01MB78W7FGY7TZHKNWE7WA3Z57'
const UNKNOWN_UUID = '01a2ce8e-9320-7630-bb7f-73edc8868b1d'

let ground: ProofGround
let proxy: FaultProxy
beforeEach(async () => {
  proxy = await openFaultProxy(inject('postgresUrl'))
  ground = await openProofGround(proxy.through)
})
afterEach(async () => {
  await ground.close()
  await proxy.close()
})

const em = () => ground.ledger.store.em()
const submitted = async (): Promise<string> => (await ground.ledger.submit({}))[0]?.id ?? ''
const committed = async (): Promise<string> => {
  const id = await submitted()
  await ground.ledger.finalize()
  await ground.commit()
  return id
}
const refused = (asked: Parameters<ProofGround['text']>[0], with_?: Parameters<ProofGround['text']>[1]) =>
  refusalOf(ground.text(asked, with_))
const tamper = (text: string, parameters: readonly unknown[] = []) => rows(em(), text, parameters)

describe('arguments', () => {
  it('are refused together when an id has another shape and a witness has no such name', async () => {
    expect(await refused({ type: 'item', id: UNKNOWN_UUID })).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      path: ['id'],
    })
    for (const type of ['block', 'beacon', 'entropy_nist'] as const)
      expect(await refused({ type, id: UNKNOWN_ULID })).toMatchObject({ code: 'invalid_argument' })
    expect(
      await refused({ type: 'beacon', id: UNKNOWN_UUID, witnesses: ['block', 'entropy_moon', 'Block'] }),
    ).toEqual({
      status: 400,
      code: 'invalid_witness',
      path: ['witnesses', '1'],
      meta: { code: 'invalid_witness', witness: 'entropy_moon', valid: WITNESS_NAMES },
    })
  })
})

describe('a subject', () => {
  it('that is unknown is not found, whatever its type', async () => {
    const found = [await refused({ type: 'item', id: UNKNOWN_ULID })]
    for (const type of ['block', 'beacon', 'entropy_nist', 'entropy_bitcoin'] as const)
      found.push(await refused({ type, id: UNKNOWN_UUID }))
    for (const one of found)
      expect(one).toEqual({ status: 404, code: 'not_found', meta: undefined, path: undefined })
  })

  it('of another source, or of a block, is not found under this type', async () => {
    const id = await ground.observe('entropy_nist', { pulse: { outputValue: 'ab' } })
    await ground.ledger.finalize()
    await ground.commit()
    expect(await refused({ type: 'entropy_stellar', id })).toMatchObject({ code: 'not_found' })
    expect(await refused({ type: 'block', id })).toMatchObject({ code: 'not_found' })
    await expect(ground.text({ type: 'entropy_nist', id })).resolves.toContain('entropy_nist')
  })

  it('that somebody else may not read is not found; a team’s and a public one are proven for who may read them', async () => {
    const id = await committed()
    const [stranger, member] = [await newUser(ground.ledger), await newUser(ground.ledger)]
    const teamId = await newTeam(ground.ledger, 'creator_retains', { [member]: 'viewer' })
    const asks = (userId: string) => refused({ type: 'item', id }, { userId })
    expect(await asks(stranger)).toEqual({ status: 404, code: 'not_found', meta: undefined, path: undefined })
    await tamper(`UPDATE items SET team_id = $1, visibility = 'team'`, [teamId])
    expect(await asks(stranger)).toMatchObject({ code: 'not_found' })
    await expect(ground.text({ type: 'item', id }, { userId: member })).resolves.toContain(id)
    await tamper(`UPDATE items SET visibility = 'public'`)
    await expect(ground.text({ type: 'item', id }, { userId: stranger })).resolves.toContain(id)
  })

  it('that waits for its block is not ready', async () => {
    const item = await submitted()
    const observation = await ground.observe('entropy_nist', { pulse: {} })
    for (const [type, id] of [
      ['item', item],
      ['entropy_nist', observation],
    ] as const)
      expect(await refused({ type, id })).toMatchObject({
        status: 409,
        code: 'subject_not_ready',
        meta: { code: 'subject_not_ready', retry_after_ms: expect.any(Number) },
      })
  })

  it('whose block is on no public chain yet has no external commitments, also while the transaction waits', async () => {
    const id = await submitted()
    await ground.ledger.finalize()
    const none = { status: 409, code: 'no_external_commitments' }
    const early = await refused({ type: 'item', id })
    expect(early).toMatchObject(none)
    expect(early.meta?.retry_after_ms).toBeGreaterThan(600_000)
    await ground.commit()
    await tamper(`UPDATE commitments SET state = 'failed'`)
    await tamper(`UPDATE epochs SET closed_at = pharos_now() - interval '2 minutes'`)
    const unsent = await refused({ type: 'item', id })
    expect(unsent).toMatchObject(none)
    expect(unsent.meta?.retry_after_ms).toBeLessThanOrEqual(480_000)
    expect(unsent.meta?.retry_after_ms).toBeGreaterThan(420_000)
    await tamper(`UPDATE epochs SET closed_at = pharos_now() - interval '1 day'`)
    expect(await refused({ type: 'item', id })).toMatchObject({ ...none, meta: { retry_after_ms: 60_000 } })
    await tamper(`UPDATE commitments SET state = 'submitted'`)
    await tamper(`INSERT INTO commitment_transactions (commitment_id, number, transaction_hash, bytes, sent_at, inserted_at)
      SELECT id, 1, epoch_root, 'x', pharos_now(), pharos_now() - interval '4 minutes' FROM commitments`)
    const left = (await refused({ type: 'item', id })).meta?.retry_after_ms
    expect(left).toBeLessThanOrEqual(360_000)
    expect(left).toBeGreaterThan(300_000)
    await tamper(`UPDATE commitments SET state = 'confirmed'`)
    await expect(ground.text({ type: 'item', id })).resolves.toContain(id)
  })

  it('whose block is older than the first epoch of every chain is refused without a wait', async () => {
    const id = await submitted()
    await ground.ledger.finalize()
    await committed()
    await tamper('UPDATE epochs SET first_block_id = last_block_id, block_count = 1')
    const code = 'no_external_commitments' as const
    const meta = { code, retry_after_ms: null }
    await expect(ground.text({ type: 'item', id })).rejects.toMatchObject({
      problems: [{ code, detail: expect.stringContaining('no epoch will hold the block'), meta }],
    })
    expect(retryAfterSeconds({ code, meta })).toBeUndefined()
  })

  it('that was redacted cannot be recomputed until it is restored', async () => {
    const id = await committed()
    const { userId } = ground.ledger
    await redactItem(em(), { id, userId })
    expect(await refused({ type: 'item', id })).toEqual({
      status: 422,
      code: 'subject_not_recomputable',
      meta: { code: 'subject_not_recomputable', drifted: 'claims' },
      path: undefined,
    })
    await unredactItem(em(), { id, userId, claims: submittedClaims(claimsOf('a file')) })
    await expect(ground.text({ type: 'item', id })).resolves.toContain(id)
  })

  it.each([
    ['claims', `UPDATE items SET claims = replace(claims, 'a file', 'a fake')`],
    ['metadata', `UPDATE items SET metadata = '{"witnesses":{}}'`],
    ['claims and metadata', `UPDATE items SET claims = '{}', metadata = '{}'`],
    ['claims and metadata', `UPDATE items SET item_hash = sha256('another')`],
  ])('whose stored halves drifted names them: %s', async (drifted, change) => {
    const id = await committed()
    await tamper(change)
    expect(await refused({ type: 'item', id })).toMatchObject({
      status: 422,
      code: 'subject_not_recomputable',
      meta: { drifted },
    })
  })

  it('is proven all the same when its neighbours in the block are deleted', async () => {
    const items = await ground.ledger.submit({}, {}, {})
    await ground.ledger.finalize()
    await ground.commit()
    const [first, middle, last] = items.map(({ id }) => id)
    await rows(em(), 'DELETE FROM items WHERE id = ANY($1::text[])', [[first, last]])
    expect((await ground.verify(await ground.text({ type: 'item', id: middle ?? '' }))).passed).toBe(true)
    expect(await refused({ type: 'item', id: first ?? '' })).toMatchObject({ code: 'not_found' })
  })
})

describe('what is needed and is not there', () => {
  it('is a witness: it is named, and a request that does without it goes well', async () => {
    await ground.observe('entropy_nist', { pulse: { outputValue: 'ab' } })
    await ground.ledger.finalize()
    const id = await committed()
    await tamper('DELETE FROM entropy_observations')
    expect(await refused({ type: 'item', id })).toEqual({
      status: 503,
      code: 'witness_unavailable',
      meta: { code: 'witness_unavailable', witness: 'entropy_nist' },
      path: undefined,
    })
    await expect(ground.text({ type: 'item', id, witnesses: ['block'] })).resolves.toContain(id)
  })

  it('is the signing key: sealed under another master key', async () => {
    const id = await committed()
    const signer = createSigner({ masterKey: masterKey(Buffer.alloc(32, 8)) })
    expect(await refused({ type: 'item', id }, { signer })).toMatchObject({
      status: 503,
      code: 'signing_unavailable',
      meta: { code: 'signing_unavailable' },
    })
  })

  it('is a tile of the tree', async () => {
    const id = (await ground.ledger.submit({}, {}))[0]?.id ?? ''
    await ground.ledger.finalize()
    await ground.commit()
    await tamper('DELETE FROM block_tiles')
    expect(await refused({ type: 'item', id })).toMatchObject({ status: 503, code: 'lookup_failed' })
  })

  it('is the database, at any of its statements; then the next request goes well', async () => {
    const id = (await ground.ledger.submit({}, {}))[0]?.id ?? ''
    await ground.ledger.finalize()
    await ground.commit()
    for (const table of [
      'from "signing_keys"',
      'FROM shown_items',
      'FROM subject',
      'block_tiles',
      'commitment_evidence',
    ]) {
      for (const ask of [() => ground.text({ type: 'item', id }), () => ground.ots(id)]) {
        const struck = proxy.strike({ matches: (sql) => sql.includes(table), when: 'before' })
        expect(await refusalOf(ask()), table).toMatchObject({ status: 503, code: 'lookup_failed' })
        expect(await struck).toContain(table)
        expect(JSON.stringify(await ask())).toContain(id)
      }
    }
  })
})

describe('what does not hold', () => {
  it.each([
    ['a node of the tree', `UPDATE block_tiles SET hashes = sha256('x') || sha256('y')`, 'item'],
    ['a block’s Merkle root', `UPDATE blocks SET merkle_root = sha256('x') WHERE height = 1`, 'item'],
    ['a block’s metadata', `UPDATE blocks SET metadata = '{"a":1}' WHERE height = 1`, 'beacon'],
    ['an epoch’s root', `UPDATE commitments SET epoch_root = sha256('x')`, 'beacon'],
    ['Bitcoin’s bytes', `UPDATE commitment_evidence SET raw_transaction = '\\x00'`, 'beacon'],
  ] as const)('never leaves: %s', async (_, change, type) => {
    const [item] = await ground.ledger.submit({}, {})
    await ground.ledger.finalize()
    await ground.commit()
    const [block] = await rows<{ id: string }>(em(), 'SELECT id FROM blocks WHERE height = 1')
    const id = type === 'item' ? item?.id : block?.id
    await tamper(change)
    const failed = await refused({ type, id: id ?? '' })
    expect(failed).toMatchObject({ status: 500, code: 'generation_failed' })
    expect(failed.meta).toEqual({ code: 'generation_failed', failed_steps: expect.stringMatching(/\w/) })
    expect(ground.logged.join()).toContain('proof.generation_failed')
  })
})
