// Signatures of bundles: the payload byte for byte, and a verifier no laxer than Node's.
import { createPrivateKey, createPublicKey, verify as nodeVerify } from 'node:crypto'
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromBase64, fromHex, toBase64, toHex } from '../../shared/proof/bytes.ts'
import { keyIdOf } from '../../shared/proof/composites.ts'
import { verifySignature } from '../../shared/proof/ed25519.ts'
import { decodePath, walkPath } from '../../shared/proof/merkle.ts'
import {
  type ProofType,
  signedPayload,
  signedPayloadDigest,
  TYPE_CODES,
} from '../../shared/proof/signed_payload.ts'
import { vectors } from './vectors.ts'

const { Point } = ed25519
const typeOf = (match: (name: string, code: number) => boolean): ProofType =>
  (Object.keys(TYPE_CODES) as ProofType[]).find((name) => match(name, TYPE_CODES[name])) ?? 'block'

describe('signed payload', () => {
  it.each(vectors.signing)('known answer: $name', (known) => {
    const parts = {
      typeCode: TYPE_CODES[typeOf((_, code) => code === known.type_code)],
      keyId: fromHex(known.key_id),
      generatedAtMs: known.ts_ms,
      subjectHash: fromHex(known.subject_hash),
      blockHash: fromHex(known.block_hash),
      epochRoots: known.epoch_roots.map(fromHex),
    }
    expect(toHex(signedPayload(parts))).toBe(known.payload_hex)
    const digest = signedPayloadDigest(parts)
    expect(toHex(digest)).toBe(known.digest_hex)
    const seed = fromHex(known.seed_hex)
    expect(toBase64(ed25519.sign(digest, seed))).toBe(known.signature_b64)
    expect(verifySignature(ed25519.getPublicKey(seed), digest, fromBase64(known.signature_b64))).toBe(true)
  })

  it.each(Object.entries(vectors.bundles))(
    'of the bundle %s, whose paths lead to what is signed',
    (_, bundle) => {
      const publicKey = fromBase64(bundle.published.public_key)
      const parts = {
        typeCode: TYPE_CODES[typeOf((name) => name === bundle.type)],
        keyId: keyIdOf(publicKey),
        generatedAtMs: bundle.generated_at_ms,
        subjectHash: fromHex(bundle.subject_hash),
        blockHash: fromHex(bundle.block_hash),
        epochRoots: bundle.published.commitments.map((entry) => fromHex(entry.epoch_merkle_root)),
      }
      expect(toHex(parts.keyId)).toBe(bundle.signer_key_id)
      expect(toHex(signedPayload(parts))).toBe(bundle.payload_hex)
      const digest = signedPayloadDigest(parts)
      expect(toHex(digest)).toBe(bundle.digest_hex)
      expect(verifySignature(publicKey, digest, fromBase64(bundle.signature_b64))).toBe(true)
      const { inclusion_proof, block, commitments } = bundle.published
      if (inclusion_proof !== undefined)
        expect(toHex(walkPath(parts.subjectHash, decodePath(inclusion_proof)))).toBe(block.merkle_root)
      for (const { epoch_proof, epoch_merkle_root } of commitments)
        expect(toHex(walkPath(parts.blockHash, decodePath(epoch_proof)))).toBe(epoch_merkle_root)
    },
  )

  it('a part of another size is refused, for it would shift the rest', () => {
    const hash = new Uint8Array(32)
    const parts = {
      typeCode: 20,
      keyId: new Uint8Array(4),
      generatedAtMs: 0,
      subjectHash: hash,
      blockHash: hash,
      epochRoots: [hash],
    } as const
    expect(signedPayload(parts)).toHaveLength(81 + 32)
    const short = new Uint8Array(31)
    for (const wrong of [
      { keyId: short },
      { subjectHash: short },
      { blockHash: short },
      { epochRoots: [short] },
      { generatedAtMs: -1 },
      { generatedAtMs: 0.5 },
    ])
      expect(() => signedPayload({ ...parts, ...wrong })).toThrow(RangeError)
  })
})

describe('Ed25519', () => {
  // RFC 8032 section 7.1, tests 1 to 3.
  it.each([
    [
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ])('known answer of RFC 8032 under %s', (publicKey, message, signature) => {
    expect(verifySignature(fromHex(publicKey), fromHex(message), fromHex(signature))).toBe(true)
  })

  it('agrees with Node on honest signatures and on every changed bit', () => {
    const seed = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(seed, seed, fc.nat({ max: 128 * 8 - 1 }), (secret, digest, bit) => {
        const publicKey = ed25519.getPublicKey(secret)
        const signature = ed25519.sign(digest, secret)
        expect(verifySignature(publicKey, digest, signature)).toBe(true)
        expect(nodeAccepts(publicKey, digest, signature)).toBe(true)
        const all = concatBytes(publicKey, digest, signature)
        all[bit >> 3] = (all[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const changed = [all.slice(0, 32), all.slice(32, 64), all.slice(64)] as const
        expect(verifySignature(...changed)).toBe(false)
        expect(nodeAccepts(...changed)).toBe(false)
      }),
      { numRuns: 40 },
    )
  })

  it('refuses S beyond the group order', () => {
    const { publicKey, digest, signature } = honest()
    const larger = numberToBytesLE(bytesToNumberLE(signature.slice(32)) + Point.Fn.ORDER, 32)
    expect(verifySignature(publicKey, digest, concatBytes(signature.slice(0, 32), larger))).toBe(false)
  })

  it('refuses a key of small order, under which one signature fits any digest', () => {
    const digest = new Uint8Array(32).fill(1)
    for (const key of ED25519_TORSION_SUBGROUP.map(fromHex)) {
      for (const r of ED25519_TORSION_SUBGROUP.map(fromHex)) {
        const signature = concatBytes(r, new Uint8Array(32))
        expect(ed25519.verify(signature, digest, key)).toBe(true) // noble's default, ZIP 215
        expect(verifySignature(key, digest, signature)).toBe(false)
        expect(nodeAccepts(key, digest, signature)).toBe(false)
      }
    }
  })

  it('refuses what holds only with the cofactor, as Node does and noble does not', () => {
    const { digest, secret } = honest()
    const { scalar } = ed25519.utils.getExtendedPublicKey(secret)
    const torsion = Point.fromBytes(
      fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
    )
    const mixedKey = Point.BASE.multiply(scalar).add(torsion).toBytes()
    let refused = 0
    const nonces = 64n
    for (let nonce = 1n; nonce <= nonces; nonce++) {
      const encodedR = Point.BASE.multiply(nonce).toBytes()
      const k = Point.Fn.create(bytesToNumberLE(sha512(concatBytes(encodedR, mixedKey, digest))))
      const signature = concatBytes(encodedR, numberToBytesLE(Point.Fn.create(nonce + k * scalar), 32))
      expect(ed25519.verify(signature, digest, mixedKey, { zip215: false })).toBe(true)
      const ours = verifySignature(mixedKey, digest, signature)
      expect(ours).toBe(nodeAccepts(mixedKey, digest, signature))
      if (!ours) refused++
    }
    expect(refused).toBeGreaterThan(0)
    expect(refused).toBeLessThan(Number(nonces)) // an eighth of the challenges hides the torsion
  })

  it('refuses encodings beyond the field', () => {
    const { digest, signature } = honest()
    const beyond = numberToBytesLE(Point.Fp.ORDER + 1n, 32)
    expect(verifySignature(beyond, digest, signature)).toBe(false)
    expect(verifySignature(beyond, digest, concatBytes(beyond, new Uint8Array(32)))).toBe(false)
  })

  it('is false, never an error, for bytes of any size', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 70 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 70 }),
        (key, digest, signature) => {
          expect(verifySignature(key, digest, signature)).toBe(false)
        },
      ),
    )
    const { publicKey, digest } = honest()
    expect(verifySignature(publicKey, digest, new Uint8Array(64).fill(255))).toBe(false)
    expect(verifySignature(new Uint8Array(32).fill(255), digest, new Uint8Array(64))).toBe(false)
  })
})

function honest(): { secret: Uint8Array; publicKey: Uint8Array; digest: Uint8Array; signature: Uint8Array } {
  const secret = fromHex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f')
  const digest = new Uint8Array(32).fill(7)
  // Made with Node's key, so that the comparison is between two implementations.
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret])
  const key = createPublicKey(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }))
  const publicKey = new Uint8Array(key.export({ format: 'der', type: 'spki' }).subarray(-32))
  return { secret, publicKey, digest, signature: ed25519.sign(digest, secret) }
}

function nodeAccepts(publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey])
  try {
    return nodeVerify(null, digest, createPublicKey({ key: spki, format: 'der', type: 'spki' }), signature)
  } catch {
    return false
  }
}
