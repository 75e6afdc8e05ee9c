// OpenSSL behind our own door says exactly what the strict verification of the browser says.
import { generateKeyPairSync, sign } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verifySignature } from '../../../server/domain/proofs/verify_proof.ts'
import { verifySignature as strict } from '../../../shared/proof/ed25519.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const digest = Buffer.alloc(32, 5)
const signature = sign(null, digest, privateKey)

const both = (key: Uint8Array, message: Uint8Array, signed: Uint8Array) => [
  verifySignature(key, message, signed),
  strict(key, message, signed),
]

/** Every multiple of a point of order eight, as it is encoded, and encodings beyond the field. */
const odd = (): Uint8Array[] => {
  const { Point } = ed25519
  const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
  const small = Array.from({ length: 8 }, (_, times) =>
    times === 0 ? Point.ZERO.toBytes() : torsion.multiplyUnsafe(BigInt(times)).toBytes(),
  )
  const beyond = [0xed, 0xee, 0xef].map((low) => Uint8Array.from([low, ...Array(30).fill(0xff), 0x7f]))
  return [...small, ...beyond]
}

describe('a signature', () => {
  it('that is good is good for both', () => {
    expect(both(raw, digest, signature)).toEqual([true, true])
  })

  it('under a key of small order, or one beyond the field, is good for neither', () => {
    for (const key of odd())
      for (const r of odd())
        expect(both(key, digest, Buffer.concat([r, Buffer.alloc(32)]))).toEqual([false, false])
  })

  it('of another size, or with any bit changed, is good for neither', () => {
    for (const size of [0, 31, 33])
      expect(both(Buffer.alloc(size, 1), digest, signature)).toEqual([false, false])
    for (const size of [0, 63, 65]) expect(both(raw, digest, Buffer.alloc(size, 1))).toEqual([false, false])
    fc.assert(
      fc.property(fc.nat(255), fc.nat(511), fc.boolean(), (keyBit, signatureBit, inKey) => {
        const [key, signed] = [Buffer.from(raw), Buffer.from(signature)]
        const [bytes, bit] = inKey ? [key, keyBit] : [signed, signatureBit]
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(both(key, digest, signed)).toEqual([false, false])
      }),
      { numRuns: 150 },
    )
  })

  it('with a scalar beyond the group order is good for neither', () => {
    const order = ed25519.Point.Fn.ORDER
    const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order
    const grown = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse()
    expect(both(raw, digest, Buffer.concat([signature.subarray(0, 32), grown]))).toEqual([false, false])
  })
})
