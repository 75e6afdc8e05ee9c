// Checkpoints and cosignatures: what logs and witnesses of other makers signed is verified, and nothing else.
import { describe, expect, it } from 'vitest'
import { openCheckpoint, readCheckpoint, writeCheckpoint } from '../../shared/log/checkpoint.ts'
import { cosignedMessage, verifyCosignature } from '../../shared/log/cosignature.ts'
import { readNote, signatureBy } from '../../shared/log/signed_note.ts'
import { readVerifierKey } from '../../shared/log/verifier_key.ts'
import { toBase64, toHex, utf8 } from '../../shared/proof/bytes.ts'
import { known } from './known_notes.ts'

const { note, note_with_extensions, ...keys } = known.cosigned
const logKey = readVerifierKey(keys.log_key)
const cosigners = {
  Ed25519: readVerifierKey(keys.ed25519_key),
  'ML-DSA-44': readVerifierKey(keys.ml_dsa_44_key),
}
const ROOT = toBase64(new Uint8Array(32))

describe('a checkpoint', () => {
  it('says origin, size and root, and is written as it was read', () => {
    const { note: read, ...head } = openCheckpoint(utf8(note), logKey)
    expect(head).toMatchObject({ origin: 'ledger.example/log', size: 70_000 })
    expect(toHex(head.root)).toBe('7feec2a0a817284fed372b3d4d35dcaff69de94fcadf1bf39e6cdec3dcba48fd')
    expect(writeCheckpoint(head)).toBe(read.text)
  })

  it('may have extension lines', () => {
    expect(openCheckpoint(utf8(note_with_extensions), logKey).size).toBe(70_000)
  })

  it('of another log, of another size, or that only witnesses signed is refused', () => {
    expect(() => openCheckpoint(utf8(note), { ...logKey, name: 'other.example/log' })).toThrow('another log')
    const withoutLog = note.replace(/— ledger.*\n/, '')
    for (const changed of [note.replace('70000', '70001'), withoutLog])
      expect(() => openCheckpoint(utf8(changed), logKey)).toThrow('no valid signature')
  })

  it.each([
    ['no root', 'a\n1\n'],
    ['no newline at the end', `a\n1\n${ROOT}`],
    ['an empty origin', `\n1\n${ROOT}\n`],
    ['an empty extension line', `a\n1\n${ROOT}\n\n`],
    ['an empty line between extensions', `a\n1\n${ROOT}\nx\n\ny\n`],
    ['a size with a leading zero', `a\n01\n${ROOT}\n`],
    ['a negative size', `a\n-1\n${ROOT}\n`],
    ['a size with a sign', `a\n+1\n${ROOT}\n`],
    ['a size that is not exact', `a\n9007199254740992\n${ROOT}\n`],
    ['a short root', `a\n1\nAAAA\n`],
    ['a root with unused bits', `a\n1\n${ROOT.replace('A=', 'B=')}\n`],
    ['a long origin', `${'a'.repeat(256)}\n1\n${ROOT}\n`],
  ])('with %s is refused', (_, text) => expect(() => readCheckpoint(text)).toThrow(RangeError))

  it('of the empty tree has the size 0', () => expect(readCheckpoint(`a\n0\n${ROOT}\n`).size).toBe(0))
})

describe.each(Object.entries(cosigners))('a cosignature by %s', (_, key) => {
  const { text, signatures } = readNote(utf8(note))
  const cosignature = signatureBy(signatures, key) ?? new Uint8Array()

  it('is verified and says its time', () => {
    const { timestamp = 0 } = verifyCosignature(key, text, cosignature) ?? {}
    expect(new Date(timestamp * 1_000).getUTCFullYear()).toBe(2026)
  })

  it('is not valid for another size, origin, root or time, or cut short', () => {
    const changes = [
      text.replace('70000', '70001'),
      text.replace('ledger', 'Ledger'),
      text.replace('f+7', 'f+8'),
    ]
    for (const changed of changes) expect(verifyCosignature(key, changed, cosignature)).toBeUndefined()
    const later = cosignature.slice()
    later[7] = (later[7] ?? 0) ^ 1
    expect(verifyCosignature(key, text, later)).toBeUndefined()
    expect(verifyCosignature(key, text, cosignature.subarray(0, -1))).toBeUndefined()
    expect(verifyCosignature(key, text, new Uint8Array(7))).toBeUndefined()
  })

  it('is not valid over a text that is no checkpoint, nor with a time from 2^53 on', () => {
    expect(verifyCosignature(key, 'no checkpoint\n', cosignature)).toBeUndefined()
    const far = cosignature.slice()
    far[1] = 0x20
    expect(verifyCosignature(key, text, far)).toBeUndefined()
  })

  it('is not valid as the signature of a log', () => {
    expect(verifyCosignature(logKey, text, cosignature)).toBeUndefined()
  })
})

describe('a cosignature by ML-DSA-44', () => {
  it('is bound to the name of the cosigner', () => {
    const key = cosigners['ML-DSA-44']
    const { text, signatures } = readNote(utf8(note))
    const cosignature = signatureBy(signatures, key) ?? new Uint8Array()
    expect(verifyCosignature({ ...key, name: 'other.example' }, text, cosignature)).toBeUndefined()
  })

  it('is over the bytes of the format', () => {
    const key = cosigners['ML-DSA-44']
    expect(toHex(cosignedMessage(key, `a\n258\n${ROOT}\n`, 3))).toBe(
      [
        '737562747265652f76310a00',
        `15${toHex(utf8('witness.example/mldsa'))}`,
        '0000000000000003',
        '0161',
        '0000000000000000',
        '0000000000000102',
        '00'.repeat(32),
      ].join(''),
    )
  })
})

describe('a cosignature by Ed25519', () => {
  it('covers extension lines', () => {
    const key = cosigners.Ed25519
    const { text, signatures } = readNote(utf8(note_with_extensions))
    const cosignature = signatureBy(signatures, key) ?? new Uint8Array()
    expect(verifyCosignature(key, text, cosignature)).toBeDefined()
    expect(verifyCosignature(key, text.replace('extension 2', 'extension X'), cosignature)).toBeUndefined()
  })
})
