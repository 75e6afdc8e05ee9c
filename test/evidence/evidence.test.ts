// Evidence files: what is read, what is refused, and what a verification says of each part that was changed.
import { describe, expect, it } from 'vitest'
import { DigestTree, entryLeaf, type TreeEntry, treeEntry } from '../../shared/evidence/digest_tree.ts'
import {
  EvidenceRejected,
  type EvidenceTree,
  LARGEST_EVIDENCE_BYTES,
  readEvidenceFile,
  readEvidenceValue,
  receiptOf,
  writeEvidence,
} from '../../shared/evidence/evidence.ts'
import type { EvidenceTrust } from '../../shared/evidence/trust.ts'
import { verifyEvidence } from '../../shared/evidence/verify_evidence.ts'
import { joinBytes, toHex } from '../../shared/proof/bytes.ts'
import { sha256 } from '../../shared/proof/domain_hash.ts'
import { canonicalJson, type JsonObject, type JsonValue } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'
import { knownKeyring } from '../proof/known_bundles.ts'
import {
  KNOWN_DIGEST,
  knownBundle,
  knownClaims,
  knownReceipt,
  signedItem,
  treeClaims,
} from './known_evidence.ts'

const TRUST: EvidenceTrust = { keyrings: [knownKeyring] }
const NOBODY: EvidenceTrust = { keyrings: [] }

const judge = async (document: JsonObject, trust = TRUST, fileDigest?: Uint8Array) => {
  const { verdict, rows } = await verifyEvidence(readEvidenceValue(document), trust, fileDigest)
  return { verdict, failed: rows.filter(({ status }) => status === 'fail').map(({ group }) => group) }
}

const digestOf = (text: string): TreeEntry => ({
  type: 'sha256',
  value: sha256(Buffer.from(text)),
  salt: sha256(Buffer.from(`salt of ${text}`)).subarray(0, 16),
})
const treeOf = (entries: readonly TreeEntry[]) => new DigestTree(joinBytes(entries.map(entryLeaf)))

/** The second of five files, in a tree that is the third entry of another tree. */
function treeReceipt(): JsonObject {
  const files = ['a', 'b', 'c', 'd', 'e'].map(digestOf)
  const inner = treeOf(files)
  const round: TreeEntry = { type: 'round', value: sha256(Buffer.from('round')) }
  const outer = treeOf([round, digestOf('x'), treeEntry(inner.root, inner.size), digestOf('y')])
  const place = (tree: DigestTree, index: number, salt?: Uint8Array): EvidenceTree => ({
    size: tree.size,
    index,
    salt,
    path: tree.path(index),
  })
  const file = digestOf('b')
  return receiptOf({
    digest: file,
    trees: [place(inner, 1, file.salt), place(outer, 2)],
    item: signedItem(treeClaims(outer.root, outer.size)),
  })
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
  const whole = (): JsonObject => ({ ...knownReceipt(), bundle: knownBundle() })

  it('is valid when the bundle is about its item and is valid', async () => {
    expect(await judge(whole(), TRUST, KNOWN_DIGEST())).toEqual({ verdict: 'valid', failed: [] })
  })

  it('without the key in a keyring says whose word it would be', async () => {
    expect(await judge(whole(), NOBODY)).toEqual({ verdict: 'key_open', failed: [] })
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
    ['that is no bundle', (document) => ({ ...document, bundle: {} }), ['Bundle']],
    [
      'whose claims are not those that were signed',
      (document) => ({ ...document, item: { ...item(document), claims: { ...knownClaims(), name: 'x' } } }),
      ['Item Signature', 'Bundle'],
    ],
  ])('%s is not valid', async (_, change, failed) => {
    expect(await judge(change(whole()))).toEqual({ verdict: 'not_valid', failed })
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

  it('cut at any byte, or with any byte flipped, never verifies as another statement and never throws', async () => {
    const text = writeEvidence({ ...treeReceipt() })
    const said = (document: JsonObject) =>
      canonicalJson([
        document.digest ?? null,
        (document.item as JsonObject).claims ?? null,
        document.trees ?? null,
      ])
    const honest = said(treeReceipt())
    for (let at = 0; at < text.length; at += 3) {
      for (const broken of [text.slice(0, at), flipped(text, at)]) {
        const document = readOrNothing(broken)
        if (document === undefined) continue
        const { verdict } = await verifyEvidence(document, TRUST)
        if (verdict !== 'not_valid' && verdict !== 'key_open')
          expect([at, said(document.document)]).toEqual([at, honest])
      }
    }
  })

  const flipped = (text: string, at: number): string =>
    `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ 1)}${text.slice(at + 1)}`
  const readOrNothing = (text: string) => {
    try {
      return readEvidenceFile(text)
    } catch (error) {
      if (error instanceof EvidenceRejected) return undefined
      throw error
    }
  }
})
