// `pharos upgrade`, as one file alone in a folder, against a service on this machine: receipts get the proof that is theirs, or
// stay as they were, and a key goes to nobody but the service that it belongs to.
import { execFileSync } from 'node:child_process'
import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receiptOf, writeEvidence } from '../../shared/evidence/evidence.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import type { JsonObject } from '../../shared/proof/json_value.ts'
import { type SecondBlock, secondLog, secondLogProof } from '../evidence/second_log_proof.ts'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'
import { itemBundle, ownItem, ownKeyring, SECRET_KEY, vectorBundle, vectorKeyring } from './bundles.ts'
import {
  folderBundle as bundle,
  folderClaims,
  folderManifest,
  folderReceipt,
  folderTree,
  sha256,
} from './folder_evidence.ts'
import { expectMembers } from './frame/json_members.ts'
import { type Desk, openDesk, type RunOptions } from './run_pharos.ts'

/** A proof of the same tree that is valid, and of another item. */
const othersBundle: JsonObject = JSON.parse(itemBundle({ ...folderClaims, name: 'other' }))
const ROUND = `/stamp/${toHex(folderTree.root)}`
const GENERATE = '/api/json/proof/generate'

let desk: Desk
let server: AnsweringServer
let authorizations: (string | undefined)[]

const blockOf = (of: JsonObject): SecondBlock => ({ ...(of.block as unknown as SecondBlock), metadata: '{}' })

const receipt = (service = server.address): string =>
  writeEvidence({ ...folderReceipt(service), later: 'kept' })
const manifest = (): string => folderManifest({ later: 'kept' }, server.address)

/** About the digest itself. */
const claims = { name: 'a', hash: toHex(sha256('in a.txt')), hash_type: 'sha256' }
const ownBundle: JsonObject = JSON.parse(itemBundle(claims))
const plainReceipt = (service = server.address): string =>
  writeEvidence(
    receiptOf({
      digest: { type: 'sha256', value: sha256('in a.txt') },
      trees: [],
      item: { ...ownItem(ownBundle), service },
    }),
  )

const answers =
  (status: number, body: JsonObject, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    authorizations.push(request.headers.authorization)
    response.writeHead(status, headers).end(JSON.stringify(body))
  }
const refuses = (status: number, code: string, headers?: Record<string, string>): RequestListener =>
  answers(status, { errors: [{ code, detail: `It is ${code}.` }] }, headers)

beforeAll(async () => {
  desk = await openDesk()
  await desk.put('keyring.json', ownKeyring)
  await desk.put('other.json', vectorKeyring)
})
afterAll(() => desk.clear())
beforeEach(async () => {
  server = await openAnsweringServer()
  authorizations = []
})
afterEach(() => server.close())

const upgrade = (args: readonly string[], env: RunOptions['env'] = {}) =>
  desk.pharos(['upgrade', '--keyring', 'keyring.json', ...args], { env })
const withKey = () => ({ PHAROS_URL: server.address, PHAROS_API_KEY: 'phk_mine' })
const held = (name: string): Promise<string> => readFile(join(desk.folder, name), 'utf8')

describe('pharos upgrade', { timeout: 120_000 }, () => {
  it('puts the proof of its round into a receipt without a credential, and names whom it asks', async () => {
    server.answers.set(ROUND, answers(200, { bundle }))
    await desk.put('a.pharos', receipt())
    const ran = await upgrade(['a.pharos'])
    expect(ran).toMatchObject({ code: 0, out: 'a.pharos  has its proof now\n' })
    expect(ran.err).toContain(`Asking ${server.address}, which a.pharos names, without a credential.`)
    expect(JSON.parse(await held('a.pharos'))).toEqual({ ...JSON.parse(receipt()), bundle })
    expect(authorizations).toEqual([undefined])
    const verified = await desk.pharos(['verify', 'a.pharos', '--offline', '--keyring', 'keyring.json'])
    expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^Valid$/m) })
    const again = await upgrade(['a.pharos'])
    expect([again.code, again.out]).toEqual([0, 'a.pharos  has its proof already\n'])
    expect(JSON.parse(await held('a.pharos'))).toEqual({ ...JSON.parse(receipt()), bundle })
  })

  it('puts what came later into a file that has its proof, and gives nothing away for it', async () => {
    const on = (...networks: string[]): JsonObject => JSON.parse(itemBundle(folderClaims, networks))
    const both = on('public', 'testnet')
    const log_proof = secondLogProof(secondLog('log.example'), blockOf(both), SECRET_KEY)
    await desk.put('a.pharos', receipt())
    for (const [answer, said, now] of [
      [{ bundle }, 'has its proof now', { bundle }],
      [{ bundle: on('public') }, 'has its proof already', { bundle }],
      [{ bundle: both }, 'has its proof now', { bundle: both }],
      [{ bundle: both, log_proof }, 'has its proof now', { bundle: both, log_proof }],
      [{ bundle: both }, 'has its proof already', { bundle: both, log_proof }],
    ] as const) {
      server.answers.set(ROUND, answers(200, answer))
      expect(await upgrade(['a.pharos'])).toMatchObject({ code: 0, out: `a.pharos  ${said}\n` })
      expect(JSON.parse(await held('a.pharos'))).toEqual({ ...JSON.parse(receipt()), ...now })
    }
  })

  it('needs nobody for files that have their proof, and asks no service again that says nothing', async () => {
    const names = ['a.pharos', 'b.pharos']
    for (const name of names)
      await desk.put(name, writeEvidence({ ...folderReceipt(server.address), bundle }))
    await desk.put('c.pharos', receipt())
    server.answers.set(ROUND, answers(200, { bundle: othersBundle }))
    const refused = await upgrade([...names, 'c.pharos'])
    // What has none yet comes first.
    expect(refused).toMatchObject({
      code: 1,
      out: names.map((name) => `${name}  has its proof already\n`).join(''),
    })
    expect(refused.err).toContain('Whether there is more for a.pharos was not told.')
    expect(server.asked).toEqual([ROUND, ROUND])
    await server.close()
    expect(await upgrade(names)).toMatchObject({ code: 0 })
    server = await openAnsweringServer()
  })

  it('puts it into the first line of a manifest, and leaves every other byte, its mode and a link to it as they were', async () => {
    server.answers.set(ROUND, answers(200, { bundle }))
    const path = join(desk.folder, 'folder.pharos')
    await writeFile(path, manifest())
    // More than the usual umask leaves.
    await chmod(path, 0o666)
    await symlink('folder.pharos', join(desk.folder, 'link.pharos'))
    expect(await upgrade(['link.pharos'])).toMatchObject({ code: 0 })
    const [before = '', ...entriesBefore] = manifest().split('\n')
    const [after = '', ...entriesAfter] = (await held('folder.pharos')).split('\n')
    expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), bundle })
    expect(entriesAfter).toEqual(entriesBefore)
    expect((await stat(path)).mode & 0o777).toBe(0o666)
    expect((await lstat(join(desk.folder, 'link.pharos'))).isSymbolicLink()).toBe(true)
  })

  it('says not yet, and ends with 3, while the service asks for patience', async () => {
    server.answers.set(ROUND, refuses(404, 'not_found', { 'retry-after': '60' }))
    server.answers.set(GENERATE, refuses(422, 'subject_not_ready', { 'retry-after': '60' }))
    await desk.put('a.pharos', receipt())
    await desk.put('plain.pharos', plainReceipt())
    for (const [names, env] of [
      [['a.pharos'], {}],
      [['a.pharos', 'plain.pharos'], withKey()],
    ] as const) {
      const { code, out } = await upgrade(names, env)
      expect([code, out]).toEqual([
        3,
        expect.stringMatching(/^a\.pharos {2}not yet: .*Try again in 60 s\.$/m),
      ])
    }
    expect([await held('a.pharos'), await held('plain.pharos')]).toEqual([receipt(), plainReceipt()])
  })

  it('asks for the proof of the item where there is no round, with the key of that very service', async () => {
    server.answers.set(GENERATE, answers(200, { result: bundle }))
    await desk.put('a.pharos', receipt())
    expect(await upgrade(['a.pharos'], withKey())).toMatchObject({ code: 0 })
    expect(server.asked).toEqual([ROUND, GENERATE])
    server.answers.set(GENERATE, answers(200, { result: ownBundle }))
    await desk.put('plain.pharos', plainReceipt())
    expect(await upgrade(['plain.pharos'], withKey())).toMatchObject({ code: 0, err: '' })
    expect(authorizations).toEqual(['Bearer phk_mine', 'Bearer phk_mine'])
  })

  it('sends the key to no other address, though a receipt names it', async () => {
    server.answers.set(ROUND, answers(200, { bundle }))
    await desk.put('a.pharos', receipt())
    const elsewhere = { PHAROS_URL: 'https://pharos.example.com', PHAROS_API_KEY: 'phk_mine' }
    expect(await upgrade(['a.pharos'], elsewhere)).toMatchObject({ code: 0 })
    expect(authorizations).toEqual([undefined])
    await desk.put('plain.pharos', plainReceipt())
    const { code, err } = await upgrade(['plain.pharos'], elsewhere)
    expect([code, err]).toEqual([4, expect.stringContaining(`with a credential of ${server.address}`)])
    expect(server.asked).toEqual([ROUND])
  })

  it('sends a key whose service nobody named to nobody but the usual one', async () => {
    await desk.put('plain.pharos', plainReceipt())
    const { code, err } = await upgrade(['plain.pharos'], { PHAROS_API_KEY: 'phk_mine' })
    expect([code, err]).toEqual([4, expect.stringContaining('export PHAROS_URL=')])
  })

  it('ends with 4, and says what to set, where an API key is missing or not accepted', async () => {
    await desk.put('a.pharos', receipt())
    await desk.put('plain.pharos', plainReceipt())
    server.answers.set(GENERATE, refuses(401, 'unauthorized'))
    for (const [name, env] of [
      ['a.pharos', {}],
      ['plain.pharos', {}],
      ['plain.pharos', withKey()],
    ] as const)
      expect(await upgrade([name], env)).toMatchObject({
        code: 4,
        out: '',
        err: expect.stringContaining('export PHAROS_URL='),
      })
    expect(authorizations).toEqual(['Bearer phk_mine'])
  })

  it('says why there is a round and will be no proof of it', async () => {
    const detail = 'No public chain is asked any more.'
    const meta = { reason: 'no_external_commitments' }
    server.answers.set(ROUND, answers(404, { errors: [{ code: 'not_found', detail, meta }] }))
    await desk.put('a.pharos', receipt())
    for (const env of [{}, withKey()]) {
      const { code, err } = await upgrade(['a.pharos'], env)
      expect([code, err]).toEqual([1, expect.stringContaining(`(no_external_commitments): ${detail}`)])
    }
    expect(server.asked).toEqual([ROUND, ROUND])
  })

  it.each(['http://pharos.example.com', 'file:///etc/passwd', 'https://a:b@pharos.example.com', 'pharos'])(
    'asks nobody when a receipt names %s',
    async (service) => {
      await desk.put('a.pharos', receipt(service))
      expect(await upgrade(['a.pharos'])).toMatchObject({
        code: 2,
        err: expect.stringContaining('is not asked'),
      })
    },
  )

  it.each<[string, () => RequestListener]>([
    ['the proof of another item', () => answers(200, { bundle: othersBundle })],
    ['a proof by another key', () => answers(200, { bundle: JSON.parse(vectorBundle('item').json) })],
    [
      'a proof of the log that is none',
      () => answers(200, { bundle, log_proof: 'c2sp.org/tlog-proof@v1\n' }),
    ],
    ['no bundle', () => answers(200, { bundle: {} })],
  ])('refuses %s, and the file stays as it was', async (_, answer) => {
    server.answers.set(ROUND, answer())
    await desk.put('a.pharos', receipt())
    expect(await upgrade(['a.pharos'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not that of this receipt'),
    })
    expect(await held('a.pharos')).toBe(receipt())
    expect((await readdir(desk.folder)).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  it('asks nobody for a receipt that was changed, or whose key is unknown', async () => {
    await desk.put('a.pharos', receipt().replace('"a tree"', '"a three"'))
    expect(await upgrade(['a.pharos'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('nobody was asked'),
    })
    await desk.put('a.pharos', receipt())
    const unknown = await desk.pharos(['upgrade', '--keyring', 'other.json', 'a.pharos'])
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('Whose key is it?') })
    expect(server.asked).toEqual([])
  })

  it('says that a file has its proof already only when that proof is valid and its key is known', async () => {
    const whole = writeEvidence({ ...folderReceipt(server.address), bundle })
    await desk.put('a.pharos', whole.replaceAll('"a tree"', '"a three"'))
    await desk.put('b.pharos', writeEvidence({ ...folderReceipt(server.address), bundle: othersBundle }))
    await desk.put('c.pharos', whole)
    for (const name of ['a.pharos', 'b.pharos'])
      expect(await upgrade([name])).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('It is not valid'),
      })
    expect(await desk.pharos(['upgrade', '--keyring', 'other.json', 'c.pharos'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('Whose key is it?'),
    })
    expect(await upgrade(['c.pharos'])).toMatchObject({ code: 0, out: 'c.pharos  has its proof already\n' })
  })

  it('leaves a file alone that was changed while it was upgraded', async () => {
    for (const [name, before] of [
      ['a.pharos', receipt()],
      ['folder.pharos', manifest()],
    ] as const) {
      await desk.put(name, before)
      server.answers.set(ROUND, async (...asked) => {
        await desk.put(name, 'written by another')
        answers(200, { bundle })(...asked)
      })
      expect(await upgrade([name])).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('changed while it was upgraded'),
      })
      expect(await held(name)).toBe('written by another')
    }
    expect((await readdir(desk.folder)).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  it('reads and asks nothing for what is no regular file', async () => {
    server.answers.set(ROUND, answers(200, { bundle }))
    execFileSync('mkfifo', [join(desk.folder, 'pipe.pharos')])
    const { code, err } = await desk.pharos(
      ['upgrade', '--keyring', 'keyring.json', '-', 'pipe.pharos', '.'],
      {
        input: receipt(),
      },
    )
    expect(code).toBe(2)
    expect(err).toContain('standard input is no file that can be replaced')
    for (const name of ['pipe.pharos', '.']) expect(err).toContain(`${name} is not a regular file`)
    expect(server.asked).toEqual([])
  })

  it('changes nothing when it is only tried', async () => {
    server.answers.set(ROUND, answers(200, { bundle }))
    await desk.put('a.pharos', receipt())
    const { code, out } = await upgrade(['a.pharos', '--dry-run'])
    expect([code, out]).toEqual([0, 'a.pharos  its proof is there; nothing was changed\n'])
    expect(await held('a.pharos')).toBe(receipt())
  })

  it('goes on behind a file that cannot be upgraded, and ends with the worst of all', async () => {
    server.answers.set(ROUND, answers(200, { bundle }))
    await desk.put('a.pharos', receipt())
    await desk.put('proof.json', vectorBundle('item').json)
    // A file of one letter is named although its letter stands in any sentence.
    await desk.put('i', vectorBundle('item').json)
    expect((await upgrade(['i'])).err).toMatch(/^pharos: i: It is no receipt/)
    const { code, out, err } = await upgrade(['nothing.pharos', 'proof.json', 'a.pharos'])
    expect([code, out]).toEqual([2, 'a.pharos  has its proof now\n'])
    expect(err).toContain('There is no file nothing.pharos.')
    expect(err).toContain('It is no receipt')
    server.answers.set(ROUND, refuses(503, 'unavailable', { 'retry-after': '1' }))
    await desk.put('b.pharos', receipt())
    expect(await upgrade(['b.pharos'])).toMatchObject({ code: 2 })
  })

  it('prints what came of each file as JSON', async () => {
    server.answers.set(ROUND, answers(200, { bundle }))
    await desk.put('a.pharos', receipt())
    const { code, out } = await upgrade(['nothing.pharos', 'a.pharos', '--json'])
    const outcomes = JSON.parse(out)
    expect([code, outcomes]).toEqual([
      2,
      [
        {
          file: 'nothing.pharos',
          exit_code: 2,
          state: null,
          why: null,
          error: 'There is no file nothing.pharos.',
        },
        { file: 'a.pharos', exit_code: 0, state: 'filled', why: null, error: null },
      ],
    ])
    server.answers.set(ROUND, refuses(404, 'not_found', { 'retry-after': '60' }))
    await desk.put('b.pharos', receipt())
    const waiting = JSON.parse((await upgrade(['b.pharos', '--json'])).out)
    expectMembers('upgrade', [...outcomes, ...waiting])
  })
})
