// Proofs of inclusion as text: written and read as the format says, and nothing else is read.
import { describe, expect, it } from 'vitest'
import { writeHashLines } from '../../shared/log/signed_note.ts'
import { readLogProof, writeLogProof } from '../../shared/log/tree_proofs.ts'
import { utf8 } from '../../shared/proof/bytes.ts'
import { sha256 } from '../../shared/proof/domain_hash.ts'
import { known } from './known_notes.ts'

const hashes = [sha256(utf8('hash1')), sha256(utf8('hash2'))]
const LINES = writeHashLines(hashes)
const CHECKPOINT = known.cosigned.note

describe('a log proof', () => {
  it.each([
    ['without other data', { index: 5, hashes, checkpoint: CHECKPOINT }, `index 5\n${LINES}`],
    ['of the only leaf', { index: 0, hashes: [], checkpoint: CHECKPOINT }, 'index 0\n'],
    [
      'with other data',
      { index: 10, hashes, checkpoint: CHECKPOINT, extra: utf8('extra information') },
      `extra ZXh0cmEgaW5mb3JtYXRpb24=\nindex 10\n${LINES}`,
    ],
  ])('%s is written line by line, and read back', (_, proof, lines) => {
    const text = `c2sp.org/tlog-proof@v1\n${lines}\n${CHECKPOINT}`
    expect(writeLogProof(proof)).toBe(text)
    expect(readLogProof(text)).toEqual(proof)
  })

  it.each([
    ['another first line', 'c2sp.org/tlog-proof@v2\nindex 0\n\n'],
    ['no index', 'c2sp.org/tlog-proof@v1\n\n'],
    ['an index with a leading zero', 'c2sp.org/tlog-proof@v1\nindex 01\n\n'],
    ['data behind the index', 'c2sp.org/tlog-proof@v1\nindex 0\nextra AAAA\n\n'],
    ['data that is not base64', 'c2sp.org/tlog-proof@v1\nextra ?\nindex 0\n\n'],
    ['a hash that is not 32 bytes', 'c2sp.org/tlog-proof@v1\nindex 0\nAAAA\n\n'],
    ['too many hashes', `c2sp.org/tlog-proof@v1\nindex 0\n${LINES.repeat(32)}\n`],
    ['no checkpoint', 'c2sp.org/tlog-proof@v1\nindex 0\n'],
    ['too many characters', `c2sp.org/tlog-proof@v1\nindex 0\n\n${'x'.repeat(1_000_000)}`],
  ])('with %s is refused', (_, text) => expect(() => readLogProof(text)).toThrow(RangeError))
})
