// Digests are those of the standards, domains those of the format, and what cannot be hashed is said so.

import { blake2b, blake2s } from '@noble/hashes/blake2.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HASH_DOMAINS, hash, verifyHash } from '../../../server/domain/utilities/hash.ts'
import { isFailure } from '../../../server/domain/utilities/read_action.ts'
import { HASH_TYPES, isHashType } from '../../../shared/proof/claims.ts'
import { DOMAIN_BYTES } from '../../../shared/proof/domain_hash.ts'
import { vectors } from '../../proof/vectors.ts'

/** RFC 1321, FIPS 180-4 examples, FIPS 202 examples, RFC 7693 appendices A and B: of `abc`. */
const OF_ABC: Record<string, string> = {
  md5: '900150983cd24fb0d6963f7d28e17f72',
  sha1: 'a9993e364706816aba3e25717850c26c9cd0d89d',
  sha224: '23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7',
  sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  sha384: 'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
  sha512:
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
  sha3_224: 'e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf',
  sha3_256: '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532',
  sha3_384:
    'ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25',
  sha3_512:
    'b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0',
  blake2s: '508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982',
  blake2b:
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
}

/** Of the empty text: the standards' other example, where padding is all there is. */
const OF_NOTHING: Record<string, string> = {
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
  sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  sha224: 'd14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  sha3_224: '6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7',
  sha3_256: 'a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a',
  blake2s: '69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9',
}

const NOBLE: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  md5,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  sha3_224,
  sha3_256,
  sha3_384,
  sha3_512,
  blake2s: (bytes) => blake2s(bytes),
  blake2b: (bytes) => blake2b(bytes),
}

const NAMES = Object.keys(HASH_TYPES)
const LONE = 'a\ud800b'
const failure = (message: RegExp) => ({
  ok: false,
  code: 'invalid',
  message: expect.stringMatching(message),
  retryable: false,
})

describe('hash', () => {
  it.each(NAMES)('%s of abc and of nothing is what its standard says', (name) => {
    expect(hash({ text: 'abc', hash_type: name })).toEqual({
      hex: OF_ABC[name],
      algorithm: name,
      input_byte_length: 3,
    })
    const empty = OF_NOTHING[name]
    if (empty !== undefined) expect(hash({ text: '', hash_type: name })).toMatchObject({ hex: empty })
  })

  it('is SHA-256 unless said otherwise', () => {
    expect(hash({ text: 'abc' })).toEqual(hash({ text: 'abc', hash_type: 'sha256' }))
  })

  it('agrees with an independent implementation on any text, and counts its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...NAMES), (text, name) => {
        const bytes = new TextEncoder().encode(text)
        expect(hash({ text, hash_type: name })).toEqual({
          hex: Buffer.from(NOBLE[name]?.(bytes) ?? []).toString('hex'),
          algorithm: name,
          input_byte_length: bytes.length,
        })
      }),
    )
  })

  it('answers every registered domain with its byte, whatever the hash type', () => {
    const { text, digests } = vectors.domains
    for (const domain of HASH_DOMAINS) {
      const known = digests.find(({ name }) => name === domain)
      expect(hash({ text, domain, hash_type: 'crc32' })).toEqual({
        hex: known?.hex,
        algorithm: 'sha256',
        input_byte_length: text.length,
        domain,
        prefix: known?.prefix,
      })
    }
  })

  it('registers twelve domains and no other names', () => {
    expect(HASH_DOMAINS).toHaveLength(12)
    const others = Object.keys(DOMAIN_BYTES).filter((name) => !HASH_DOMAINS.some((known) => known === name))
    for (const domain of [...others, 'constructor', '__proto__', 'ITEM', ' item', '', '0x11'])
      expect(hash({ text: 'abc', domain })).toEqual(
        failure(/^unknown domain: .*items_claims, .*block_genesis.*proof$/),
      )
  })

  it.each(['crc32', 'SHA256', 'sha-256', '', ' ', 'toString', '__proto__', 'blake2b512'])(
    'refuses the algorithm %j and lists those there are',
    (hash_type) => {
      expect(hash({ text: 'abc', hash_type })).toEqual(failure(/^unsupported algorithm: .*md5, .*blake2b$/))
    },
  )

  it('refuses text without a UTF-8 form, in every mode', () => {
    expect(hash({ text: LONE })).toEqual(failure(/surrogate/))
    expect(hash({ text: LONE, domain: 'item' })).toEqual(failure(/surrogate/))
    expect(verifyHash({ text: LONE, hash: OF_ABC.sha256 ?? '' })).toEqual(failure(/surrogate/))
  })
})

describe('verify-hash', () => {
  it.each(NAMES)('%s: recognises its digest in either case and with white space around it', (name) => {
    const digest = OF_ABC[name] ?? ''
    for (const written of [digest, digest.toUpperCase(), `\n\t ${digest}\r\n`, `\u00a0${digest}\ufeff`])
      expect(verifyHash({ text: 'abc', hash: written, hash_type: name })).toEqual({
        matches: true,
        computed: digest,
        algorithm: name,
      })
    expect(verifyHash({ text: 'abcd', hash: digest, hash_type: name })).toMatchObject({
      matches: false,
      algorithm: name,
    })
  })

  it('tells any other digest of the right length from the right one', () => {
    const right = OF_ABC.sha256 ?? ''
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const hex = Buffer.from(bytes).toString('hex')
        expect(verifyHash({ text: 'abc', hash: hex })).toEqual({
          matches: hex === right,
          computed: right,
          algorithm: 'sha256',
        })
      }),
    )
  })

  it('never compares domain-separated hashes', () => {
    const domain = hash({ text: 'abc', domain: 'item' })
    expect(isFailure(domain) ? domain : verifyHash({ text: 'abc', hash: domain.hex })).toMatchObject({
      matches: false,
    })
  })

  it.each([
    ['', /wrong length/],
    ['   ', /wrong length/],
    ['ba78', /wrong length/],
    [`${'ab'.repeat(32)}00`, /wrong length/],
    [`${'ab'.repeat(31)}xy`, /must be hex/],
    [`${'ab'.repeat(31)} b`, /must be hex/],
    [`0x${'ab'.repeat(31)}`, /must be hex/],
    ['ａ'.repeat(64), /must be hex/],
    [' '.repeat(500_000), /wrong length/],
  ])('refuses %#', (written, message) => {
    expect(verifyHash({ text: 'abc', hash: written })).toEqual(failure(message))
  })

  it('holds the length to the algorithm', () => {
    expect(verifyHash({ text: 'abc', hash: OF_ABC.sha256 ?? '', hash_type: 'sha1' })).toEqual(
      failure(/a sha1 digest has 40/),
    )
    expect(verifyHash({ text: 'abc', hash: 'ab', hash_type: 'crc32' })).toEqual(failure(/unsupported/))
  })

  it('knows exactly the hash types of claims', () => {
    expect(NAMES.filter(isHashType)).toEqual(Object.keys(OF_ABC))
  })
})
