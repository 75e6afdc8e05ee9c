// A receipt is filled with what belongs to it and verifies, and with nothing else.
import { describe, expect, it } from 'vitest'
import { EvidenceRejected, readEvidenceValue } from '../../shared/evidence/evidence.ts'
import type { EvidenceTrust } from '../../shared/evidence/trust.ts'
import {
  checkReceipt,
  filled,
  fillingOf,
  readUpgradeAnswer,
  type UpgradeAnswer,
} from '../../shared/evidence/upgrade.ts'
import { verifyEvidence } from '../../shared/evidence/verify_evidence.ts'
import { readVerifierKey } from '../../shared/log/verifier_key.ts'
import type { JsonObject } from '../../shared/proof/json_value.ts'
import { knownDocument, knownKeyring, setAt } from '../proof/known_bundles.ts'
import { KNOWN_DIGEST, knownBundle, knownClaims, knownReceipt, SEED, signedItem } from './known_evidence.ts'
import { type SecondBlock, secondLog, secondLogProof } from './second_log_proof.ts'

const LOG = secondLog('log.example.com/log')
const TRUST: EvidenceTrust = { keyrings: [knownKeyring] }
const PINNED: EvidenceTrust = {
  ...TRUST,
  logs: { keys: [readVerifierKey(LOG.verifierKey)], policy: undefined },
}

const receipt = (more: JsonObject = {}) => readEvidenceValue({ ...knownReceipt(), ...more })

const blockOf = ({ block }: JsonObject): SecondBlock => {
  const carried = block as { metadata: object } & Omit<SecondBlock, 'metadata'>
  return { ...carried, metadata: JSON.stringify(carried.metadata) }
}
const logProof = (block = blockOf(knownBundle())): string => secondLogProof(LOG, block, SEED)

const answer = (bundle: JsonObject, proof?: string): UpgradeAnswer => ({ bundle, logProof: proof })
const changed = (pointer: string, value: JsonObject | string): JsonObject => {
  const bundle = knownBundle()
  setAt(bundle, pointer, value)
  return bundle
}

describe('an upgrade', () => {
  it('puts the bundle and the proof of the log into the receipt, and leaves everything else as it was', async () => {
    const before = receipt({ later: ['kept', 12345678901234567890n] })
    for (const trust of [TRUST, PINNED]) {
      const filling = await fillingOf(before, answer(knownBundle(), logProof()), trust)
      const after = filled(before.document, filling)
      expect(after).toEqual({ ...before.document, bundle: knownBundle(), log_proof: logProof() })
      expect(await verifyEvidence(readEvidenceValue(after), trust, KNOWN_DIGEST())).toMatchObject({
        verdict: 'valid',
      })
    }
  })

  it('needs no proof of the log, and keeps the one that is there when it fits', async () => {
    expect(await fillingOf(receipt(), answer(knownBundle()), TRUST)).toEqual({ bundle: knownBundle() })
    const kept = receipt({ log_proof: logProof() })
    expect(await fillingOf(kept, answer(knownBundle()), TRUST)).toEqual({
      bundle: knownBundle(),
      log_proof: logProof(),
    })
  })

  it.each<[string, UpgradeAnswer]>([
    ['a bundle of another kind', answer(knownDocument('block'))],
    ['a bundle in another layout', answer(knownDocument('item', 'compact'))],
    ['a bundle of other claims', answer(changed('/subject/claims/name', 'another'))],
    ['a bundle of other metadata', answer(changed('/subject/metadata', {}))],
    ['a bundle with another id', answer(changed('/subject/id', '01MB78W7FGY7TZHKNWE7WA3Z58'))],
    ['a bundle of another block', answer(changed('/block/metadata', { a: 'b' }))],
    [
      'a bundle with another signature',
      answer(changed('/signature', Buffer.alloc(64, 1).toString('base64'))),
    ],
    ['no bundle', answer({})],
    [
      'a proof of the log of another block',
      answer(knownBundle(), logProof({ ...blockOf(knownBundle()), metadata: '{"a":"b"}' })),
    ],
    ['a proof of the log that is none', answer(knownBundle(), 'c2sp.org/tlog-proof@v1\n')],
    [
      'the proof of another log than the pinned one',
      answer(knownBundle(), secondLogProof(secondLog('other.example/log'), blockOf(knownBundle()), SEED)),
    ],
    [
      'a proof of the log that another key signed',
      answer(knownBundle(), secondLogProof(LOG, blockOf(knownBundle()), new Uint8Array(32))),
    ],
  ])('takes nothing of an answer with %s', async (_, given) => {
    await expect(fillingOf(receipt(), given, PINNED)).rejects.toMatchObject({
      name: 'UpgradeRefused',
      reason: 'answer',
    })
  })

  it('takes no valid proof of another item, though it has the same digest', async () => {
    const other = signedItem(knownClaims(), { id: '01MB78W7FGY7TZHKNWE7WA3Z58' })
    const theirs = readEvidenceValue({
      ...knownReceipt(),
      item: { ...(knownReceipt().item as JsonObject), id: other.id, signature: other.signature },
    })
    await expect(fillingOf(theirs, answer(knownBundle()), TRUST)).rejects.toMatchObject({ reason: 'answer' })
  })

  it.each<[string, JsonObject]>([
    ['digest', { digest: { type: 'sha256', value: '00'.repeat(32) } }],
    ['claims', { item: { ...(knownReceipt().item as JsonObject), claims: { ...knownClaims(), name: 'x' } } }],
    ['signature', { item: { ...(knownReceipt().item as JsonObject), signature: 'AAAA' } }],
  ])('of a receipt whose %s was changed is refused, before anybody is asked too', async (_, more) => {
    const refused = { name: 'UpgradeRefused', reason: 'receipt' }
    await expect(checkReceipt(receipt(more), TRUST)).rejects.toMatchObject(refused)
    await expect(fillingOf(receipt(more), answer(knownBundle()), TRUST)).rejects.toMatchObject(refused)
  })

  it('by a key that no keyring at hand has is refused: anybody could have answered', async () => {
    const nobody = { keyrings: [] }
    await expect(checkReceipt(receipt(), nobody)).rejects.toMatchObject({ reason: 'key' })
    await expect(fillingOf(receipt(), answer(knownBundle()), nobody)).rejects.toMatchObject({ reason: 'key' })
  })
})

describe('an answer', () => {
  it('has a bundle, and perhaps a proof of the log', () => {
    expect(readUpgradeAnswer({ bundle: {}, log_proof: 'x', later: 1 })).toEqual({ bundle: {}, logProof: 'x' })
    expect(readUpgradeAnswer({ bundle: {}, log_proof: null })).toEqual({ bundle: {}, logProof: undefined })
    for (const value of [null, [], {}, { bundle: null }, { bundle: 'x' }, { bundle: {}, log_proof: 1 }])
      expect(() => readUpgradeAnswer(value)).toThrow(EvidenceRejected)
  })
})
