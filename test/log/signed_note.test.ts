// Notes and their keys: what other tools signed is verified, and every change is noticed.
import { describe, expect, it } from 'vitest'
import {
  isSignedBy,
  NOTE_CEILINGS,
  readNote,
  readSignatureLines,
  signatureBy,
  writeNote,
} from '../../shared/log/signed_note.ts'
import {
  readVerifierKey,
  SIGNATURE_TYPES,
  verifierKey,
  writeVerifierKey,
} from '../../shared/log/verifier_key.ts'
import { utf8 } from '../../shared/proof/bytes.ts'
import { known } from './known_notes.ts'

const EXAMPLE = known.signed_note[0] ?? { key: '', note: '' }
const LINE =
  '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n'

describe.each(known.signed_note)('$name', ({ key, note }) => {
  it('is signed by its key', () => {
    expect(isSignedBy(readNote(utf8(note)), readVerifierKey(key))).toBe(true)
  })

  it('key and note are written as they were read', () => {
    expect(writeVerifierKey(readVerifierKey(key))).toBe(key)
    expect(writeNote(readNote(utf8(note)))).toBe(note)
  })
})

describe('a note', () => {
  it('that was changed is not signed', () => {
    const changed = readNote(utf8(EXAMPLE.note.replace('example message', 'Example message')))
    expect(isSignedBy(changed, readVerifierKey(EXAMPLE.key))).toBe(false)
  })

  it('is not signed by a key that shares only the name, or only the id', () => {
    const key = readVerifierKey(EXAMPLE.key)
    const { signatures } = readNote(utf8(EXAMPLE.note))
    expect(signatureBy(signatures, key)).toBeDefined()
    expect(signatureBy(signatures, { ...key, name: 'example.com/bar' })).toBeUndefined()
    expect(signatureBy(signatures, { ...key, id: key.id + 1 })).toBeUndefined()
  })

  it('may have empty lines in its text, and at least 16 signatures', () => {
    const note = readNote(utf8(`one\n\ntwo\n\n${LINE.repeat(16)}`))
    expect(note.text).toBe('one\n\ntwo\n')
    expect(note.signatures).toHaveLength(16)
  })

  it.each([
    ['no empty line', `text\n${LINE}`],
    ['no signature', 'text\n\n'],
    ['no newline at the end', `text\n\n${LINE.slice(0, -1)}`],
    ['a tab', `te\txt\n\n${LINE}`],
    ['a carriage return', `text\r\n\n${LINE}`],
    ['a line that is no signature', `text\n\n${LINE}text\n`],
    ['another dash', `text\n\n${LINE.replace('—', '-')}`],
    ['a name with a plus sign', `text\n\n${LINE.replace('foo', 'fo+o')}`],
    ['a name with a space of another script', `text\n\n${LINE.replace('foo', 'fo\u00a0o')}`],
    ['two spaces', `text\n\n${LINE.replace('foo ', 'foo  ')}`],
    ['something behind the signature', `text\n\n${LINE.replace('\n', ' x\n')}`],
    ['base64 without padding', `text\n\n${LINE.replace('=', '')}`],
    ['an id without a signature', 'text\n\n— example.com/foo Uw2QOg==\n'],
    ['too many signatures', `text\n\n${LINE.repeat(NOTE_CEILINGS.signatures + 1)}`],
    ['a signature that is too long', `text\n\n— a ${'AAAA'.repeat(4_000)}\n`],
    ['too many bytes', `${'x'.repeat(NOTE_CEILINGS.bytes)}\n\n${LINE}`],
  ])('with %s is refused', (_, note) => expect(() => readNote(utf8(note))).toThrow(RangeError))

  it('that is not UTF-8 is refused', () => {
    expect(() => readNote(Uint8Array.of(0xff, ...utf8(EXAMPLE.note)))).toThrow(RangeError)
  })

  it('signature lines alone are read, and need at least one', () => {
    expect(readSignatureLines(LINE)).toHaveLength(1)
    expect(() => readSignatureLines('')).toThrow(RangeError)
    expect(() => readSignatureLines('\n')).toThrow(RangeError)
  })
})

describe('a verifier key', () => {
  it.each([
    ['another id', EXAMPLE.key.replace('530d903a', '530d903b')],
    ['an id in capitals', EXAMPLE.key.replace('530d903a', '530D903A')],
    ['another name', EXAMPLE.key.replace('foo', 'bar')],
    ['no name', EXAMPLE.key.replace('example.com/foo', '')],
    ['a short key', 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U0='],
    ['a type that is not supported', 'example.com/foo+530d903a+AukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'],
    ['no key', 'example.com/foo+530d903a+'],
    ['too many characters', `${'a'.repeat(5_000)}+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k`],
  ])('with %s is refused', (_, text) => expect(() => readVerifierKey(text)).toThrow(RangeError))

  it('has a name without spaces, plus signs and control characters, of at most 255 bytes', () => {
    const key = new Uint8Array(32)
    for (const name of ['', 'a b', 'a+b', 'a\u2003b', 'a\u0001', 'é'.repeat(128), '\ud800'])
      expect(() => verifierKey(name, SIGNATURE_TYPES.ed25519, key)).toThrow(RangeError)
    expect(verifierKey('é'.repeat(127), SIGNATURE_TYPES.ed25519, key).name).toHaveLength(127)
  })
})
