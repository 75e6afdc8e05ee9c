// One wrong bit anywhere in the files of a copy of a log, and the audit names the file.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CopyFinding } from '../../shared/audit/copy_reader.ts'
import { type LogCopy, makeLogCopy } from '../support/log_copy.ts'
import { sizeOf } from '../support/sizes.ts'
import { auditOf, trustOf } from './audited_files.ts'

/** The first finding with one bit of one file changed. */
async function firstAfter(copy: LogCopy, file: string, bit: number): Promise<CopyFinding | undefined> {
  const bytes = (copy.files.get(file) ?? new Uint8Array()).slice()
  const at = bit >> 3
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7))
  const files = new Map([...copy.files, [file, bytes] as const])
  const trust = file === 'checkpoint' ? trustOf(copy) : undefined
  const [first] = await auditOf(files, trust, { limit: 1 })
  return first
}

describe('a flipped bit', () => {
  it('in every byte of a small copy is found, and its file is named', async () => {
    const copy = makeLogCopy({ size: 3, rotations: [2], epochBlocks: 1 })
    expect([...copy.files.keys()].sort()).toEqual([
      'checkpoint',
      'epochs/bitcoin/0.json',
      'epochs/bitcoin/1.json',
      'keyring.json',
      'tile/0/000.p/3',
      'tile/entries/000.p/3',
    ])
    const missed: string[] = []
    for (const [file, bytes] of copy.files)
      for (let at = 0; at < bytes.length; at += 1)
        for (let bit = 0; bit < sizeOf('flipped_bits'); bit += 1) {
          const first = await firstAfter(copy, file, 8 * at + ((at + bit) & 7))
          if (first?.file !== file) missed.push(`${file} byte ${at}: ${JSON.stringify(first)}`)
        }
    expect(missed).toEqual([])
  })

  it('anywhere in a copy of several levels is found, and its file is named', async () => {
    const copy = makeLogCopy({ size: 300, rotations: [256, 280], epochBlocks: 50 })
    const anywhere = fc.constantFrom(...copy.files.keys()).chain((file) =>
      fc.record({
        file: fc.constant(file),
        bit: fc.nat((copy.files.get(file)?.length ?? 1) * 8 - 1),
      }),
    )
    await fc.assert(
      fc.asyncProperty(anywhere, async ({ file, bit }) => {
        expect(await firstAfter(copy, file, bit)).toMatchObject({ file })
      }),
      { numRuns: 12 },
    )
  })
})
