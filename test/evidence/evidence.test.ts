// Evidence files: what is read, what is refused, and what a verification says of each part that was changed.
import { describe, expect, it } from 'vitest'
import {
  EvidenceRejected,
  LARGEST_EVIDENCE_BYTES,
  readEvidenceFile,
  readEvidenceValue,
  receiptOf,
  writeEvidence,
} from '../../shared/evidence/evidence.ts'
import { judgeEvidence } from '../../shared/evidence/judge_evidence.ts'
import type { EvidenceTrust } from '../../shared/evidence/trust.ts'
import { verifyEvidence } from '../../shared/evidence/verify_evidence.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import type { JsonObject, JsonValue } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'
import { knownKeyring } from '../proof/known_bundles.ts'
import {
  bundleByAnother,
  digestOf,
  KNOWN_DIGEST,
  knownBundle,
  knownClaims,
  knownEvidence,
  knownReceipt,
  signedItem,
  treeReceipt,
} from './known_evidence.ts'

const TRUST: EvidenceTrust = { keyrings: [knownKeyring] }
const NOBODY: EvidenceTrust = { keyrings: [] }

const judge = async (document: JsonObject, trust = TRUST, fileDigest?: Uint8Array) => {
  const { verdict, rows } = await verifyEvidence(readEvidenceValue(document), trust, fileDigest)
  return { verdict, failed: rows.filter(({ status }) => status === 'fail').map(({ group }) => group) }
}

/** A copy with one place changed. */
function changed(document: JsonObject, path: string, value: JsonValue): JsonObject {
  const copy = structuredClone(document)
  const names = path.split('.')
  const last = names.pop() ?? ''
  let at: JsonValue = copy
  for (const name of names) at = (at as JsonObject)[name] ?? null
  ;(at as JsonObject)[last] = value
  return copy
}

describe('a receipt', () => {
  it('is not yet more than accepted, when everything in it fits', async () => {
    expect(await judge(knownReceipt(), TRUST, KNOWN_DIGEST())).toEqual({ verdict: 'not_yet', failed: [] })
    expect(await judge(treeReceipt(), TRUST, digestOf('b').value)).toEqual({ verdict: 'not_yet', failed: [] })
  })

  it.each([
    ['md5', 16],
    ['sha1', 20],
  ] as const)('about a digest of %s warns that two files can have it', async (type, bytes) => {
    const value = new Uint8Array(bytes)
    const claims = { name: 'x', hash: toHex(value), hash_type: type }
    const evidence = readEvidenceValue(
      receiptOf({ digest: { type, value }, trees: [], item: signedItem(claims) }),
    )
    const report = await verifyEvidence(evidence, TRUST, value)
    expect(report.verdict).toBe('not_yet')
    expect(judgeEvidence(evidence, report, TRUST.keyrings).reservations).toEqual([
      `Two files with one ${type} digest can be made.`,
    ])
  })

  it('by a key that no keyring has is nobody’s word', async () => {
    expect(await judge(knownReceipt(), NOBODY)).toEqual({ verdict: 'key_open', failed: [] })
  })

  it('for another file is not valid', async () => {
    expect(await judge(treeReceipt(), TRUST, digestOf('a').value)).toEqual({
      verdict: 'not_valid',
      failed: ['Digest'],
    })
  })

  it.each<[string, string, JsonValue, string[]]>([
    ['another digest', 'digest.value', toHex(digestOf('a').value), ['Trees']],
    ['another type of digest', 'digest.type', 'blake2s', ['Trees']],
    ['another salt', 'trees.0.salt', '00'.repeat(16), ['Trees']],
    ['another place', 'trees.0.index', 2, ['Trees']],
    ['another size of an inner tree', 'trees.0.size', 6, ['Trees']],
    ['another size of the last tree', 'trees.1.size', 3, ['Trees']],
    ['another sibling', 'trees.1.path.0', '00'.repeat(32), ['Trees']],
    ['a path that is too short', 'trees.1.path', [], ['Trees']],
    ['another root in the claims', 'item.claims.hash', '00'.repeat(32), ['Trees', 'Item Signature']],
    ['another hash type in the claims', 'item.claims.hash_type', 'sha3_256', ['Trees', 'Item Signature']],
    ['another size in the claims', 'item.claims.metadata.tree.size', 5, ['Trees', 'Item Signature']],
    ['a size in the claims that is text', 'item.claims.metadata.tree.size', '4', ['Trees', 'Item Signature']],
    ['another format in the claims', 'item.claims.metadata.tree.format', 'tree', ['Trees', 'Item Signature']],
    ['no tree in the claims', 'item.claims.metadata', null, ['Trees', 'Item Signature']],
    ['another name in the claims', 'item.claims.name', 'another', ['Item Signature']],
    ['other metadata', 'item.metadata', {}, ['Item Signature']],
    ['another id', 'item.id', '01MB78W7FGY7TZHKNWE7WA3Z58', ['Item Signature']],
    ['a signature that is none', 'item.signature', 'AAAA', ['Item Signature']],
    ['another signature', 'item.signature', Buffer.alloc(64, 1).toString('base64'), ['Item Signature']],
  ])('with %s is not valid', async (_, path, value, failed) => {
    expect(await judge(changed(treeReceipt(), path, value))).toEqual({ verdict: 'not_valid', failed })
  })

  it('whose name or service is another is the same: both are hints', async () => {
    for (const path of ['name', 'item.service'])
      expect((await judge(changed(treeReceipt(), path, 'https://elsewhere.example'))).verdict).toBe('not_yet')
  })
})

describe('evidence with a bundle', () => {
  it('is valid when the bundle is about its item and is valid', async () => {
    expect(await judge(knownEvidence(), TRUST, KNOWN_DIGEST())).toEqual({ verdict: 'valid', failed: [] })
  })

  it('without the key in a keyring says whose word it would be', async () => {
    expect(await judge(knownEvidence(), NOBODY)).toEqual({ verdict: 'key_open', failed: [] })
  })

  it('is valid only by a known key of the item too, though a known key signed the bundle', async () => {
    const { bundle, keyring } = bundleByAnother()
    const document = { ...knownEvidence(), bundle }
    expect(await judge(document, { keyrings: [knownKeyring, keyring] })).toEqual({
      verdict: 'valid',
      failed: [],
    })
    const evidence = readEvidenceValue(document)
    const report = await verifyEvidence(evidence, { keyrings: [keyring] })
    expect(report.verdict).toBe('key_open')
    expect(judgeEvidence(evidence, report, [keyring]).sentence).toMatch(
      /^Every hash and path fits\. The signature of the item, by key 591f29fc, was not checked\. But none/,
    )
  })

  it('says of its bundle only that a file was compared which was', async () => {
    const compared = async (fileDigest?: Uint8Array) =>
      (await verifyEvidence(readEvidenceValue(knownEvidence()), TRUST, fileDigest)).bundle?.report
    expect(await compared()).toMatchObject({ hash_provided: null, hash_matched: false, passed: true })
    expect(await compared(KNOWN_DIGEST())).toMatchObject({ hash_matched: true, passed: true })
    expect(await judge(knownEvidence(), TRUST, digestOf('a').value)).toEqual({
      verdict: 'not_valid',
      failed: ['Digest', 'Bundle'],
    })
  })

  it.each<[string, (document: JsonObject) => JsonObject, string[]]>([
    [
      'about another item',
      (document) => ({ ...document, item: { ...item(document), id: '01MB78W7FGY7TZHKNWE7WA3Z58' } }),
      ['Item Signature', 'Bundle'],
    ],
    [
      'about other claims',
      (document) => changed(document, 'bundle.subject.claims.name', 'another'),
      ['Bundle', 'Bundle'],
    ],
    [
      'about other metadata',
      (document) => changed(document, 'bundle.subject.metadata.witnesses', {}),
      ['Bundle', 'Bundle'],
    ],
    [
      'whose block was changed',
      (document) => changed(document, 'bundle.block.metadata', { a: 1 }),
      ['Bundle'],
    ],
    [
      'whose item names another key',
      (document) => changed(document, 'item.signing_key_id', 'aaaaaaaa'),
      ['Bundle'],
    ],
    [
      'whose item has another signature',
      (document) => changed(document, 'item.signature', Buffer.alloc(64, 1).toString('base64')),
      ['Item Signature'],
    ],
    ['that is no bundle', (document) => ({ ...document, bundle: {} }), ['Bundle']],
    [
      'whose claims are not those that were signed',
      (document) => ({ ...document, item: { ...item(document), claims: { ...knownClaims(), name: 'x' } } }),
      ['Item Signature', 'Bundle'],
    ],
  ])('%s is not valid', async (_, change, failed) => {
    expect(await judge(change(knownEvidence()))).toEqual({ verdict: 'not_valid', failed })
  })

  const item = (document: JsonObject): JsonObject => document.item as JsonObject
})

describe('a proof of the public log', () => {
  it('that cannot be read makes the evidence not valid, and without a bundle it is left open', async () => {
    const document = { ...knownReceipt(), log_proof: 'c2sp.org/tlog-proof@v1\nindex 1\n\nnothing' }
    expect((await judge(document)).verdict).toBe('not_yet')
    expect(await judge({ ...document, bundle: knownBundle() })).toEqual({
      verdict: 'not_valid',
      failed: ['Public Log'],
    })
  })
})

describe('an evidence file', () => {
  it('is read back as it was written, with members that mean nothing here and every digit', () => {
    const text = writeEvidence({ ...treeReceipt(), later: [1, { x: 12345678901234567890n }] })
    expect(writeEvidence(readEvidenceFile(text).document)).toBe(text)
    expect(readStrictJson(text)).toMatchObject({ later: [1, { x: 12345678901234567890n }] })
  })

  it.each<[string, string, JsonValue]>([
    ['of another version', 'pharos_evidence', 2],
    ['without a digest', 'digest', null],
    ['with a type of digest that is not known', 'digest.type', 'crc32'],
    ['with a digest in capitals', 'digest.value', 'AB'.repeat(32)],
    ['with a digest of another length', 'digest.value', 'ab'.repeat(31)],
    ['with no trees in its list', 'trees', []],
    ['with five trees', 'trees', Array(5).fill({ size: 1, index: 0, path: [] })],
    ['with a tree that is none', 'trees.0', 7],
    ['with an index beyond the size', 'trees.0.index', 5],
    ['with a negative index', 'trees.0.index', -1],
    ['with an index that is a fraction', 'trees.0.index', 0.5],
    ['with a tree beyond every ceiling', 'trees.0.size', 1_048_577],
    ['with a path of 21 hashes', 'trees.0.path', Array(21).fill('00'.repeat(32))],
    ['with a hash of another length', 'trees.0.path.0', '00'],
    ['with a salt of another length', 'trees.0.salt', '00'],
    ['without an item', 'item', null],
    ['with an id that is no ULID', 'item.id', 'x'],
    ['with claims that are none', 'item.claims', []],
    ['with a key id that is none', 'item.signing_key_id', 'zz'],
    ['with a bundle that is text', 'bundle', 'AAAA'],
    ['with a token that is a number', 'time_stamp', 7],
    ['with a name that is a list', 'name', []],
  ])('%s is refused', (_, path, value) => {
    expect(() => readEvidenceValue(changed(treeReceipt(), path, value))).toThrow(EvidenceRejected)
  })

  it('is refused above its ceiling, and when it is not strict JSON, before anything is done with it', () => {
    expect(() => readEvidenceFile(' '.repeat(LARGEST_EVIDENCE_BYTES + 1))).toThrow(EvidenceRejected)
    for (const text of ['', '[]', '{"pharos_evidence":1,"pharos_evidence":1}', '{"a":1}', '\ufeff{}'])
      expect(() => readEvidenceFile(text)).toThrow(EvidenceRejected)
  })
})
