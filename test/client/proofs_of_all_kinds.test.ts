// Every command that takes proofs, given all kinds of them at once and by standard input: a bundle, evidence, a manifest, an
// .ots file, and a time stamp. What one kind is refused for keeps none of the others from its answer.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeEvidence } from '../../shared/evidence/evidence.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import { LOOKUP_PLACE_NAMES, LOOKUP_PLACES } from '../../shared/proof/lookups/lookup.ts'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'
import { openAuthority, pemOf } from '../support/time_stamps/own_authority.ts'
import { ownKeyring, vectorBundle, vectorKeyring } from './bundles.ts'
import { folderBundle, folderManifest, folderReceipt, folderTree } from './folder_evidence.ts'
import { ATTESTED, file, HEIGHT, ROOT, STEPS } from './ots_files.ts'
import { type Desk, openDesk, type RunOptions } from './run_pharos.ts'

const KINDS = ['bundle.json', 'evidence.pharos', 'manifest.pharos', 'paper.ots', 'paper.tsr'] as const
type Kind = (typeof KINDS)[number]

const TRUST = ['--keyring', 'keyring.json', '--keyring', 'vectors.json', '--ca', 'root.pem']

let desk: Desk
let server: AnsweringServer
let bytesOf: Readonly<Record<Kind, string | Uint8Array>>
let receipts: Readonly<Record<'evidence.pharos' | 'manifest.pharos', string>>
beforeAll(async () => {
  ;[desk, server] = await Promise.all([openDesk(), openAnsweringServer()])
  await desk.put('keyring.json', ownKeyring)
  await desk.put('vectors.json', vectorKeyring)
  const { root, tokenOf } = await openAuthority(Math.floor(Date.now() / 1_000) * 1_000)
  await desk.put('root.pem', pemOf('CERTIFICATE', root.certificate))
  const bundle = folderBundle
  bytesOf = {
    'bundle.json': vectorBundle('item').json,
    'evidence.pharos': writeEvidence({ ...folderReceipt(), bundle }),
    'manifest.pharos': folderManifest({ bundle }),
    'paper.ots': file(STEPS + ATTESTED),
    'paper.tsr': tokenOf(createHash('sha256').update('a file').digest()),
  }
  receipts = {
    'evidence.pharos': writeEvidence(folderReceipt(server.address)),
    'manifest.pharos': folderManifest({}, server.address),
  }
  const block = JSON.stringify([{ height: HEIGHT, merkle_root: ROOT, timestamp: 1_798_761_600 }])
  server.answers.set(`/blocks/${HEIGHT}`, block)
  server.answers.set(`/stamp/${toHex(folderTree.root)}`, JSON.stringify({ bundle }))
})
afterAll(async () => {
  await server.close()
  await desk.clear()
})
const put = async (more: object): Promise<void> => {
  for (const [name, bytes] of Object.entries({ ...bytesOf, ...more })) await desk.put(name, bytes)
}
beforeEach(() => put({}))

/** Of all that a verifier asks, Bitcoin alone is there. */
const NOBODY = Object.fromEntries(
  LOOKUP_PLACE_NAMES.map((place) => [LOOKUP_PLACES[place].verifierSetting, 'http://127.0.0.1:9']),
)
const pharos = (args: readonly string[], more: RunOptions = {}) =>
  desk.pharos(args, { env: { ...NOBODY, PHAROS_ESPLORA: server.address }, ...more })

describe('all kinds of proofs at once', { timeout: 120_000 }, () => {
  it('are verified, each of them by standard input too, and the worst of them is the answer', async () => {
    for (const kind of KINDS) {
      const names = KINDS.map((name) => (name === kind ? '-' : name))
      const ran = await pharos(['verify', ...names, ...TRUST], { input: bytesOf[kind] })
      expect([ran.code, ran.out.match(/^\S+ \S+ {2}.*$/gm)], ran.out + ran.err).toEqual([
        0,
        names.map((name) => `✓ ${name}  Valid`),
      ])
      expect(ran.err).toBe('5 of 5 proofs are valid.\n')
    }
    const json = await pharos(['verify', ...KINDS, ...TRUST, '--json'])
    expect([json.code, JSON.parse(json.out)]).toMatchObject([
      0,
      KINDS.map((source) => ({ source, exit_code: 0 })),
    ])
    await put({ ...receipts, 'paper.ots': file(STEPS + ATTESTED).subarray(0, -1) })
    const mixed = await pharos(['verify', ...KINDS, ...TRUST])
    expect(mixed.code).toBe(2)
    expect(mixed.out).toMatch(
      /✓ bundle\.json[\s\S]*! evidence\.pharos[\s\S]*! manifest\.pharos[\s\S]*✓ paper\.tsr/,
    )
    expect(mixed.err).toMatch(/paper\.ots is an \.ots file that cannot be read[\s\S]*2 of 5 proofs are valid/)
    // No root is known, so the time stamp is not supported, which weighs more.
    expect(await pharos(['verify', ...KINDS, ...TRUST.slice(0, -2)])).toMatchObject({ code: 1 })
  })

  it('are printed one by one, from a file as from standard input', async () => {
    const kinds = [
      'proof bundle',
      'evidence with its proof',
      'manifest with its proof',
      'OpenTimestamps proof',
    ]
    for (const [at, kind] of [...kinds, 'RFC 3161 time stamp'].entries()) {
      const name = KINDS[at] ?? 'bundle.json'
      const ran = await pharos(['info', name])
      expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(new RegExp(`^ {2}kind +${kind}$`, 'm'))])
      expect(await pharos(['info', '-'], { input: bytesOf[name] })).toEqual(ran)
    }
    expect(await pharos(['info', ...KINDS])).toMatchObject({ code: 2, out: '' })
  })

  it('have the standing of what names an item told, and the others are refused by name', async () => {
    await put(receipts)
    const refused = ['bundle.json', 'paper.ots', 'paper.tsr']
    const ran = await pharos(['status', ...KINDS])
    expect([ran.code, ran.out.match(/^\S.*$/gm)]).toEqual([2, ['evidence.pharos', 'manifest.pharos']])
    for (const name of refused)
      expect(ran.err).toContain(`pharos: ${name}: It names no item that could be asked about.`)
    const json = JSON.parse((await pharos(['status', ...KINDS, '--json'])).out)
    expect(json).toMatchObject(
      KINDS.map((source) => ({ source, exit_code: refused.includes(source) ? 2 : 0 })),
    )
    for (const [name, code] of Object.entries({ 'evidence.pharos': 0, 'manifest.pharos': 0, 'paper.tsr': 2 }))
      expect(await pharos(['status', '-'], { input: await readFile(join(desk.folder, name)) })).toMatchObject(
        { code },
      )
  })

  it('have receipts among them filled, and all others left as they are', async () => {
    await put(receipts)
    const ran = await pharos(['upgrade', ...KINDS, ...TRUST.slice(0, -2)])
    expect([ran.code, ran.out]).toEqual([
      2,
      'evidence.pharos  has its proof now\nmanifest.pharos  has its proof now\n',
    ])
    for (const name of ['bundle.json', 'paper.ots', 'paper.tsr'] as const) {
      expect(ran.err).toContain(`pharos: ${name}: It is no receipt: there is nothing to put into it.`)
      expect(await readFile(join(desk.folder, name))).toEqual(Buffer.from(bytesOf[name]))
    }
    expect(await pharos(['verify', ...KINDS, ...TRUST])).toMatchObject({ code: 0 })
    expect(
      await pharos(['upgrade', '-', ...TRUST.slice(0, -2)], { input: receipts['evidence.pharos'] }),
    ).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining('What comes from standard input is no file that can be replaced.'),
    })
  })
})
