// The .ots file of the known item, byte for byte, and the reader that follows every operation in it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readBundleCbor, readBundleJson } from '../../../shared/proof/bundle/read_bundle.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { otsFileName, otsFileOf } from '../../../shared/proof/opentimestamps/ots_file.ts'
import { NotExpressible } from '../../../shared/proof/opentimestamps/timestamp_path.ts'
import { readOts } from '../../support/ots_reader.ts'
import { type KnownForm, knownForms } from '../known_bundles.ts'

interface KnownAnswer {
  readonly item: string
  readonly file_sha256: string
  readonly block_height: number
  readonly header_hex: string
  readonly operations: number
  readonly ots_hex: string
}

const known: KnownAnswer = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'ots-vectors.json'), 'utf8'),
)
const header = Buffer.from(known.header_hex, 'hex')

const readForm = ({ bytes, format }: KnownForm) =>
  format === 'json' ? readBundleJson(bytes) : readBundleCbor(bytes)
const isAboutFile = ({ bundle }: KnownForm) => bundle === 'item' || bundle === 'item_no_witnesses'

it.each(knownForms.filter(isAboutFile))('is written from $name', (form) => {
  const file = otsFileOf(readForm(form))
  expect(file).toMatchObject({ network: 'regtest', height: known.block_height })
  expect(toHex(file.bytes)).toBe(known.ots_hex)
})

it.each(knownForms.filter((form) => !isAboutFile(form)))('cannot be written from $name', (form) => {
  expect(() => otsFileOf(readForm(form))).toThrow(new NotExpressible('no_file_digest'))
})

it('leads from the digest to the Merkle root of the header, operation by operation', () => {
  const read = readOts(Buffer.from(known.ots_hex, 'hex'))
  expect(read).toMatchObject({ hashType: 'sha256', operations: known.operations })
  expect(read.digest.toString('hex')).toBe(known.file_sha256)
  expect(read.attestations).toEqual([{ height: known.block_height, message: header.subarray(36, 68) }])
})

it('has a name that says which network attests', () => {
  expect(otsFileName(known.item, 'regtest')).toBe(`pharos-item-${known.item}.regtest.ots`)
  expect(otsFileName(known.item, 'testnet')).toBe(`pharos-item-${known.item}.testnet.ots`)
  expect(otsFileName(known.item, 'mainnet')).toBe(`pharos-item-${known.item}.ots`)
})
