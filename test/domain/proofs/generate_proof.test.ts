// Every subject's proof stands on its own: it verifies in every form, and carries exactly what was asked for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { PROOF_FORMATS, PROOF_LAYOUTS } from '../../../server/domain/proofs/proof_request.ts'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { row, rows } from '../../support/rows.ts'
import { openProofGround, type ProofGround } from './proof_ground.ts'
import { BITCOIN, STELLAR } from './seed_commitment.ts'

const PULSE = {
  pulse: {
    chainIndex: 2,
    outputValue: 'AB'.repeat(64),
    pulseIndex: 1_234_568,
    timeStamp: '2026-01-01T00:01:00.000Z',
    version: '2.0',
  },
}
const LEDGER = { closed_at: '2026-01-01T00:02:18Z', hash: '53'.repeat(32), sequence: 60_000_013 }
const BLOCK = { hash: `${'0'.repeat(20)}${'a'.repeat(44)}`, height: 980_001, time: 1_767_225_600 }

const WITNESSES = ['block', 'entropy_bitcoin', 'entropy_nist', 'entropy_stellar']

let ground: ProofGround
const ids: Partial<Record<ProofType, string>> = {}
const idOf = (type: ProofType): string => ids[type] ?? ''
const em = () => ground.ledger.store.em()
const statuses = (steps: readonly { group: string; status: string }[]) => (group: string) =>
  steps.filter((step) => step.group === group).map(({ status }) => status)

beforeAll(async () => {
  ground = await openProofGround()
  const { submit, finalize } = ground.ledger
  ids.entropy_nist = await ground.observe('entropy_nist', PULSE)
  ids.entropy_stellar = await ground.observe('entropy_stellar', LEDGER)
  ids.entropy_bitcoin = await ground.observe('entropy_bitcoin', BLOCK)
  await finalize()
  const claims = {
    name: 'Ünïcode report ✓',
    hash: 'ab'.repeat(32),
    hash_type: 'sha256',
    metadata: { ratio: 0.5, tiny: 1e-7, minus: -0, note: null },
  }
  const [item] = await submit({ claims: submittedClaims(claims) }, ...Array.from({ length: 6 }, () => ({})))
  ids.item = item?.id ?? ''
  await finalize()
  const { id } = await row<{ id: string }>(em(), 'SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
  ids.block = id
  ids.beacon = id
  await ground.commit(STELLAR)
  await ground.commit(BITCOIN)
})
afterAll(() => ground?.close())

const TYPES = ['item', 'block', 'beacon', 'entropy_nist', 'entropy_stellar', 'entropy_bitcoin'] as const

describe('a generated proof', () => {
  const forms = TYPES.flatMap((type) =>
    PROOF_FORMATS.flatMap((format) => PROOF_LAYOUTS.map((layout) => [type, format, layout] as const)),
  )

  it.each(forms)('of type %s verifies as %s in the %s layout', async (type, format, layout) => {
    const text = await ground.text({ type, id: idOf(type), format, layout })
    const proof: unknown = JSON.parse(text)
    const report = await ground.verify(format === 'cbor' ? String(proof) : text)
    expect(report.steps.filter(({ status }) => status === 'fail')).toEqual([])
    expect(report).toMatchObject({ passed: true, id: idOf(type), source: type, skipped_external: true })
    const of = statuses(report.steps)
    expect(of('Proof Signature')).toEqual(['pass'])
    expect(of('Key Binding')).toEqual(['pass'])
    expect(of('Epoch Proof')).toEqual(['pass', 'pass'])
    if (type !== 'block' && type !== 'beacon') expect(of('Inclusion Proof')).toEqual(['pass'])
    if (layout === 'published') expect(of('Signing Key Event')).toContain('pass')
  })

  it.each(TYPES)('of type %s has the members of its type, and no other', async (type) => {
    const bundle = await ground.bundle({ type, id: idOf(type) })
    const isBlock = type === 'block' || type === 'beacon'
    expect(Object.keys(bundle)).toEqual(
      [
        ...['block', 'commitments', 'generated_at'],
        ...(isBlock ? [] : ['inclusion_proof']),
        ...['public_key', 'signature', 'signing_key_event'],
        ...(isBlock ? [] : ['subject']),
        ...['type', 'version'],
      ].toSorted(),
    )
    expect(bundle.generated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(bundle.commitments.map(({ chain }) => chain)).toEqual(['bitcoin', 'stellar'])
    expect(Object.keys(bundle.subject ?? {})).toEqual(
      isBlock
        ? []
        : type === 'item'
          ? ['claims', 'id', 'metadata', 'signing_key_id', 'witnesses']
          : ['entropy', 'id', 'metadata', 'signing_key_id'],
    )
  })

  it('of a block and of its beacon differ in what is signed', async () => {
    const [block, beacon] = [
      await ground.bundle({ type: 'block', id: idOf('block') }),
      await ground.bundle({ type: 'beacon', id: idOf('block') }),
    ]
    expect({ ...beacon, type: 'block', signature: '', generated_at: '' }).toEqual({
      ...block,
      signature: '',
      generated_at: '',
    })
    const relabelled = await ground.verify(JSON.stringify({ ...block, type: 'beacon' }))
    expect(statuses(relabelled.steps)('Proof Signature')).toEqual(['fail'])
  })

  it('says the time of the database, cut to the second', async () => {
    const before = await row<{ s: number }>(em(), 'SELECT floor(unix_ms(pharos_now()) / 1000) AS s')
    const { generated_at } = await ground.bundle({ type: 'beacon', id: idOf('beacon') })
    const after = await row<{ s: number }>(em(), 'SELECT floor(unix_ms(pharos_now()) / 1000) AS s')
    const said = Date.parse(generated_at) / 1_000
    expect(said).toBeGreaterThanOrEqual(before.s)
    expect(said).toBeLessThanOrEqual(after.s)
  })

  it('takes an id in either case, and carries its one spelling', async () => {
    const { subject } = await ground.bundle({ type: 'item', id: idOf('item').toLowerCase() })
    expect(subject?.id).toBe(idOf('item'))
    const { block } = await ground.bundle({ type: 'block', id: idOf('block').toUpperCase() })
    expect(block.id).toBe(idOf('block'))
  })

  it('leaves nothing behind', async () => {
    const tables = await rows<{ name: string }>(
      em(),
      `SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables ORDER BY 1`,
    )
    const everything = () =>
      Promise.all(tables.map(({ name }) => rows(em(), `SELECT md5(t::text) FROM ${name} t ORDER BY 1`)))
    const before = await everything()
    await ground.text({ type: 'item', id: idOf('item') })
    expect(await everything()).toEqual(before)
  })
})

describe('witnesses', () => {
  const carried = async (witnesses?: readonly string[]) => {
    const bundle = await ground.bundle({ type: 'item', id: idOf('item'), witnesses })
    const report = await ground.verify(JSON.stringify(bundle))
    expect(report.passed).toBe(true)
    return {
      names: Object.keys(bundle.subject?.witnesses ?? {}),
      event: bundle.signing_key_event !== undefined,
      path: bundle.block_path,
    }
  }

  it('are all carried when none is named, so that the bundle stands alone', async () => {
    expect(await carried()).toEqual({ names: WITNESSES, event: true, path: undefined })
  })

  it('are left out for an empty list, and `witnesses` with them', async () => {
    expect(await carried([])).toEqual({ names: [], event: false, path: undefined })
    const { subject } = await ground.bundle({ type: 'item', id: idOf('item'), witnesses: [] })
    expect(subject).not.toHaveProperty('witnesses')
  })

  it('are carried as named, however often', async () => {
    expect(await carried(['entropy_nist', 'entropy_nist'])).toMatchObject({
      names: ['entropy_nist'],
      event: false,
    })
    expect(await carried(['signing_key_event', 'block'])).toMatchObject({ names: ['block'], event: true })
  })

  it.each(['block', 'beacon', 'entropy_nist'] as const)(
    'of a %s are ignored but for the key event',
    async (type) => {
      const named = await ground.bundle({ type, id: idOf(type), witnesses: WITNESSES })
      expect([named.signing_key_event, named.block_path, named.subject?.witnesses]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      const all = await ground.bundle({ type, id: idOf(type) })
      expect(all.signing_key_event?.commitments.map(({ chain }) => chain)).toEqual(['bitcoin', 'stellar'])
    },
  )

  it('that the subject never captured are left out', async () => {
    const other = await openProofGround()
    try {
      const [item] = await other.ledger.submit({})
      await other.ledger.finalize()
      await other.commit()
      const bundle = await other.bundle({ type: 'item', id: item?.id ?? '' })
      expect(Object.keys(bundle.subject?.witnesses ?? {})).toEqual(['block'])
      expect((await other.verify(JSON.stringify(bundle))).passed).toBe(true)
    } finally {
      await other.close()
    }
  })
})
