// Keys come and go; what was proven stays proven, and a new proof carries the event of the key it is signed with.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotateKey } from '../../../server/domain/ledger/signing_key.ts'
import { introducedKeys, keyringDocument } from '../../../server/domain/proofs/keyrings.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { row } from '../../support/rows.ts'
import { openProofGround, type ProofGround } from './proof_ground.ts'

let ground: ProofGround
beforeEach(async () => {
  ground = await openProofGround()
})
afterEach(() => ground.close())

const em = () => ground.ledger.store.em()
const committed = async (): Promise<string> => {
  const [item] = await ground.ledger.submit({})
  await ground.ledger.finalize()
  await ground.commit()
  return item?.id ?? ''
}
const keyring = async () => keyringDocument(await introducedKeys(em())).keys
const eventIn = (metadata: JsonObject | undefined) => metadata?.key_event

describe.each([
  { emergency: false, type: 'rotation' },
  { emergency: true, type: 'emergency_rotation' },
])('after a $type', ({ emergency, type }) => {
  it('old bundles keep verifying, and new ones of old and new items carry the new key and its event', async () => {
    const before = await committed()
    const old = await ground.bundle({ type: 'item', id: before })
    const rotated = await rotateKey({ em: em(), masterKey: ground.ledger.masterKey }, { emergency })
    // Asked for is not done: until its block is there, the old key signs.
    expect((await ground.bundle({ type: 'item', id: before })).public_key).toBe(old.public_key)
    expect(await keyring()).toMatchObject([{ sequence: 0, active: true }])

    const during = await committed()
    const after = await committed()
    expect(await keyring()).toMatchObject([
      { sequence: 0, active: false, public_key: old.public_key },
      { sequence: 1, active: true, key_id: rotated.next.keyId.toString('hex') },
    ])
    expect((await ground.verify(JSON.stringify(old))).passed).toBe(true)
    for (const id of [before, during, after]) {
      const bundle = await ground.bundle({ type: 'item', id })
      expect(bundle.public_key).toBe(rotated.next.publicKey.toString('base64'))
      expect(eventIn(bundle.signing_key_event?.block.metadata)).toMatchObject({
        key_id: rotated.next.keyId.toString('hex'),
        sequence: 1,
        type,
      })
      const report = await ground.verify(JSON.stringify(bundle))
      expect(report.steps.filter(({ status }) => status === 'fail')).toEqual([])
      const rows = report.steps.filter(({ group }) => group === 'Signing Key Event')
      expect(rows.map(({ status }) => status)).toContain('pass')
    }
    const { subject } = await ground.bundle({ type: 'item', id: before })
    expect(subject?.signing_key_id).toBe(rotated.current.keyId.toString('hex'))
  })

  it('a proof is had before the event itself is on a public chain, which then is skipped', async () => {
    const id = await committed()
    await rotateKey({ em: em(), masterKey: ground.ledger.masterKey }, { emergency })
    await ground.ledger.finalize()
    const bundle = await ground.bundle({ type: 'item', id })
    expect(bundle.signing_key_event?.commitments).toEqual([])
    const report = await ground.verify(JSON.stringify(bundle))
    const last = report.steps.filter(({ group }) => group === 'Signing Key Event').at(-1)
    expect([report.passed, last?.status]).toEqual([true, 'skip'])
  })

  it('the block with the event is proven like any other', async () => {
    await rotateKey({ em: em(), masterKey: ground.ledger.masterKey }, { emergency })
    await committed()
    const { id } = await row<{ id: string }>(em(), 'SELECT id FROM blocks WHERE height = 1')
    const bundle = await ground.bundle({ type: 'block', id })
    expect(eventIn(bundle.block.metadata)).toMatchObject({ type })
    expect((await ground.verify(JSON.stringify(bundle))).passed).toBe(true)
  })
})
