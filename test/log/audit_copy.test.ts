// A copy of a log is audited with nothing but its files: a sound one passes, and damage is named by its file.
import { describe, expect, it } from 'vitest'
import { describeCopyFinding } from '../../shared/audit/copy_reader.ts'
import {
  readEpochFile,
  readKeyringFile,
  writeEpochFile,
  writeKeyringFile,
} from '../../shared/log/copy_files.ts'
import { keyIdOf } from '../../shared/proof/composites.ts'
import { makeLogCopy } from '../support/log_copy.ts'
import { auditOf, trustOf } from './audited_files.ts'

describe('a copy of a log', () => {
  const small = makeLogCopy({ size: 11, rotations: [4, 9], epochBlocks: 3 })
  const large = makeLogCopy({ size: 300, rotations: [256, 280], epochBlocks: 50 })

  it.each([0, 1, 2, 255, 256, 257])('of %i blocks passes', async (size) => {
    const copy = makeLogCopy({ size, epochBlocks: 40 })
    expect(await auditOf(copy.files, trustOf(copy))).toEqual([])
  })

  it('passes with rotations and epochs', async () => {
    expect(await auditOf(small.files, trustOf(small))).toEqual([])
    expect(await auditOf(large.files, trustOf(large))).toEqual([])
  })

  it('passes with full tiles in place of partial ones', async () => {
    const files = new Map(
      [...large.files].filter(([path]) => !path.includes('.p/') || path.startsWith('tile/1')),
    )
    const whole = makeLogCopy({ size: 512, rotations: [256, 280], epochBlocks: 50 })
    for (const path of ['tile/entries/001', 'tile/0/001'])
      files.set(path, whole.files.get(path) ?? new Uint8Array())
    expect(await auditOf(files, trustOf(large))).toEqual([])
  })

  it('names a missing tile or bundle, and a gap between epochs', async () => {
    for (const file of ['tile/0/000', 'tile/1/000.p/1', 'tile/entries/000', 'epochs/bitcoin/3.json']) {
      const files = new Map(large.files)
      files.delete(file)
      const [first] = await auditOf(files, trustOf(large))
      expect(first && describeCopyFinding(first)).toMatch(`${file}: the file should be`)
    }
  })

  const later = makeLogCopy({ size: 11, rotations: [4, 9] }).files.get('keyring.json') ?? new Uint8Array()
  const before = makeLogCopy({ size: 9, rotations: [4], epochBlocks: 3 })
  const withKeys = (file: Uint8Array) => auditOf(new Map([...before.files, ['keyring.json', file]]))
  const [first, second, third] = readKeyringFile(later)
  if (first === undefined || second === undefined || third === undefined) throw new Error('three keys')

  it('passes with the keyring of later blocks, and with no other', async () => {
    expect(await withKeys(later)).toEqual([])
    for (const keys of [[first], [first, third], [first, { ...second, introducedAtHeight: 9 }, third]])
      expect((await withKeys(writeKeyringFile(keys)))[0]).toMatchObject({ file: 'keyring.json' })
  })

  it('takes a later key only with the id of its public key, in its place, and the one committed to', async () => {
    const publicKey = new Uint8Array(32).fill(7)
    const planted = { keyId: keyIdOf(publicKey), publicKey, sequence: 3, introducedAtHeight: 10 }
    const known = [first, second, third]
    expect(await withKeys(writeKeyringFile([...known, planted]))).toEqual([])
    for (const keys of [
      [...known, { ...planted, keyId: third.keyId }],
      [...known, { ...planted, sequence: 4 }],
      [...known, { ...planted, introducedAtHeight: 9 }],
      [...known, { ...planted, publicKey: publicKey.slice(1), keyId: keyIdOf(publicKey.slice(1)) }],
      [first, second, { ...planted, sequence: 2 }],
    ])
      expect((await withKeys(writeKeyringFile(keys))).at(-1)).toMatchObject({
        file: 'keyring.json',
        expected: expect.stringContaining('can follow'),
      })
  })

  it('without keyring or epochs is not whole where they are required', async () => {
    const without = (left: RegExp) => new Map([...small.files].filter(([path]) => !left.test(path)))
    const required = async (left: RegExp) =>
      (await auditOf(without(left), undefined, { requireEpochs: true })).map(({ file }) => file)
    expect(await required(/^$/)).toEqual([])
    expect(await required(/^keyring/)).toEqual(['keyring.json'])
    expect(await required(/^epochs/)).toEqual(['epochs/'])
    expect(await required(/json$/)).toEqual(['keyring.json', 'epochs/'])
    expect(await auditOf(without(/json$/))).toEqual([])
  })

  it('whose header took too little work for the network of its epoch is found', async () => {
    const file = 'epochs/bitcoin/0.json'
    const epoch = readEpochFile(small.files.get(file) ?? new Uint8Array())
    const pretended = writeEpochFile({ ...epoch, network: 'mainnet' })
    const found = await auditOf(new Map([...small.files, [file, pretended]]))
    expect(found).toContainEqual(expect.objectContaining({ file, field: 'header' }))
  })

  it('of another history than its checkpoint is found by its root', async () => {
    const other = makeLogCopy({ size: 11, rotations: [4, 9], epochBlocks: 3, forkAt: 7 })
    const files = new Map([...other.files, ['checkpoint', small.checkpoint(11)] as const])
    expect(await auditOf(files, trustOf(small))).toMatchObject([{ file: 'checkpoint', field: 'the root' }])
  })

  it('must continue an earlier checkpoint that is named', async () => {
    const other = makeLogCopy({ size: 9, rotations: [4], epochBlocks: 3, forkAt: 7 })
    expect(await auditOf(small.files, undefined, { since: small.checkpoint(9) })).toEqual([])
    expect(await auditOf(small.files, undefined, { since: other.checkpoint(9) })).toMatchObject([
      { file: 'checkpoint', field: 'the root at size 9' },
    ])
  })

  it('is not believed without the signature of its log, or without the quorum', async () => {
    const other = makeLogCopy({ size: 11, origin: 'another.example/log' })
    expect(await auditOf(other.files, trustOf(small))).not.toEqual([])
    const text = new TextDecoder().decode(small.files.get('checkpoint'))
    const lines = text.split('\n').filter((line) => !line.includes('second.example'))
    const files = new Map([
      ...small.files,
      ['checkpoint', new TextEncoder().encode(lines.join('\n'))] as const,
    ])
    expect(await auditOf(files, trustOf(small))).toMatchObject([{ field: 'the cosignatures' }])
    expect(await auditOf(files, { keys: [small.logKey], policy: undefined })).toEqual([])
  })
})
