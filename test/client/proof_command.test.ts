// `pharos proof`, against the real service: the proof and the keyring side by side, and advice when there is no proof yet.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { ask } from '../support/http.ts'
import { readOts } from '../support/ots_reader.ts'
import { testApp } from '../support/test_app.ts'
import { vectorKeyring } from './bundles.ts'
import { expectMembers } from './frame/json_members.ts'
import { type Desk, openDesk } from './run_pharos.ts'

const app = testApp()
let desk: Desk

beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.clear())

const pharos = (...args: string[]) =>
  desk.pharos(args, { env: { PHAROS_URL: app.base, PHAROS_API_KEY: app.owner.key } })

const WORDS = { name: 'Paper', description: 'Written down in words that are long enough.' }

const submit = async (claims: object = WORDS): Promise<string> => {
  const answer = await ask(app.port, '/api/json/items', {
    key: app.owner.key,
    body: { json: { data: { type: 'item', attributes: { claims } } } },
  })
  return (answer.json() as { data: { id: string } }).data.id
}

const committed = async (claims?: object): Promise<string> => {
  const id = await submit(claims)
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
  return id
}

describe('pharos proof', { timeout: 120_000 }, () => {
  it('stores the proof and the keyring side by side, and verify knows both without the service', async () => {
    const id = await committed()
    const { code, out, err } = await pharos('proof', id)
    expect(code, err).toBe(0)
    const files = (await readdir(desk.folder)).filter((name) => name.endsWith('.json')).sort()
    expect(files).toEqual([
      `pharos-item-${id}.json`,
      expect.stringMatching(/^pharos-keyring-localhost-\d+\.json$/),
    ])
    for (const file of files) expect(out).toContain(file)
    expect(err).toContain(`node pharos.mjs verify pharos-item-${id}.json`)
    expect(`${out}${err}`).not.toContain(app.owner.key)
    // Remembered: no keyring has to be named.
    expect(await desk.pharos(['verify', '--offline', files[0] ?? ''])).toMatchObject({ code: 0 })
    expectMembers('keyring list', JSON.parse((await desk.pharos(['keyring', 'list', '--json'])).out))
    const elsewhere = { XDG_CONFIG_HOME: join(desk.folder, 'elsewhere') }
    const args = ['verify', '--offline', files[0] ?? '']
    expect(await desk.pharos(args, { env: elsewhere })).toMatchObject({ code: 1 })
    expect(await desk.pharos([...args, '--keyring', files[1] ?? ''], { env: elsewhere })).toMatchObject({
      code: 0,
    })
  })

  it('tells nothing as done where the service does not know a key any more that it had', async () => {
    const id = await committed()
    await desk.put('before.json', vectorKeyring)
    await desk.pharos(['keyring', 'add', 'before.json', '--name', new URL(app.base).host])
    for (const more of [[], ['--json']])
      expect(await pharos('proof', id, ...more)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('does not know its own key'),
      })
  })

  it('finds out what a block id or the hash of a beacon stands for', async () => {
    await committed()
    const [block] = await app.query<{ id: string; hash: string }>(
      `SELECT id, encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
    )
    expect(await pharos('proof', block?.id ?? '')).toMatchObject({ code: 0 })
    expect(await pharos('proof', block?.hash ?? '')).toMatchObject({ code: 0 })
    const files = await readdir(desk.folder)
    expect(files).toContain(`pharos-block-${block?.id}.json`)
    expect(files).toContain(`pharos-beacon-${block?.id}.json`)
    const told = await pharos('proof', block?.id ?? '', '-o', 'again.json', '--json')
    expect(told).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(told.out)).toMatchObject({ kind: 'bundle', file: 'again.json' })
    expectMembers('proof bundle', JSON.parse(told.out))
    const nowhere = await pharos('proof', block?.id ?? '', '-o', '-', '--json')
    expect(nowhere).toMatchObject({ code: 2, out: '', err: expect.stringContaining('stores nothing') })
  })

  it('writes CBOR and leaves witnesses out when asked, or puts the proof on standard output', async () => {
    const id = await committed()
    expect(await pharos('proof', id, '--format', 'cbor', '--witnesses', 'none')).toMatchObject({ code: 0 })
    const bytes = await readFile(join(desk.folder, `pharos-item-${id}-compact.cbor`))
    expect(bytes.subarray(0, 3).toString('hex')).toBe('d9d9f7')
    const piped = await pharos('proof', id, '-o', '-')
    expect(JSON.parse(piped.out)).toMatchObject({ type: 'item', subject: { id } })
    expect(piped.err).toBe('')
    expect(await desk.pharos(['verify', '-', '--offline'], { input: piped.out })).toMatchObject({ code: 0 })
  })

  it('writes an .ots file of an item about a file, and says what it discloses and what checks it', async () => {
    const id = await committed({ name: 'Paper', hash: 'ab'.repeat(32), hash_type: 'sha256' })
    const { code, out, err } = await pharos('proof', id.toLowerCase(), '--ots')
    expect(code, err).toBe(0)
    const name = `pharos-item-${id}.regtest.ots`
    expect(out).toContain(name)
    expect(err).toMatch(
      /discloses the whole claims[\s\S]*ots --btc-regtest --bitcoin-node <address> verify -f/,
    )
    const { digest, attestations } = readOts(await readFile(join(desk.folder, name)))
    expect(digest).toEqual(Buffer.alloc(32, 0xab))
    expect(attestations).toHaveLength(1)
    const told = await pharos('proof', id, '--ots', '-o', 'paper.pdf.ots', '--json')
    expect(JSON.parse(told.out)).toEqual({ kind: 'ots', file: 'paper.pdf.ots', network: 'regtest' })
    expectMembers('proof ots', JSON.parse(told.out))
    expect(await readFile(join(desk.folder, 'paper.pdf.ots'))).toEqual(
      await readFile(join(desk.folder, name)),
    )
  })

  it('says why there is no .ots file of an item, and ends with 1; with 2 when it is asked for something else', async () => {
    const { code, out, err } = await pharos('proof', await committed(), '--ots')
    expect(err).toMatch(/no_file_digest[\s\S]*Without --ots/)
    expect([code, out]).toEqual([1, ''])
    for (const options of [
      ['--format', 'cbor'],
      ['--witnesses', 'none'],
      ['--type', 'block'],
    ])
      expect(await pharos('proof', 'x', '--ots', ...options), options.join(' ')).toMatchObject({ code: 2 })
  })

  it('says what to wait for when there is no proof yet, and ends with 1', async () => {
    const id = await submit()
    const early = await pharos('proof', id)
    expect(early.err).toMatch(
      /subject_not_ready[\s\S]*once that block stands on a public chain[\s\S]*Try again in \d+ s/,
    )
    expect(early.code).toBe(1)
    await app.finalize()
    const waiting = await pharos('proof', id)
    expect(waiting.err).toMatch(/no_external_commitments[\s\S]*Wait until[\s\S]*Try again in \d+ s/)
    expect(waiting.code).toBe(1)
  })

  it('says so when there is nothing of that id, no key, a wrong key, or no service', async () => {
    for (const id of ['01MB78W7FGY7TZHKNWE7WA3Z57', '01a2ce8c-be60-74a1-9884-d675915e9850', 'ab'.repeat(32)])
      expect(await pharos('proof', id), id).toMatchObject({ code: 1, out: '' })
    const env = { PHAROS_URL: app.base, PHAROS_API_KEY: '' }
    const keyless = await desk.pharos(['proof', '01MB78W7FGY7TZHKNWE7WA3Z57'], { env })
    expect(keyless.err).toMatch(/login --url http:\/\/localhost:\d+, .*PHAROS_API_KEY/)
    expect(keyless.code).toBe(4)
    const wrongKey = { ...env, PHAROS_API_KEY: 'phk_wrong' }
    const wrong = await desk.pharos(['proof', '01MB78W7FGY7TZHKNWE7WA3Z57'], { env: wrongKey })
    expect(wrong.err).toMatch(/not accepted/)
    expect(wrong.code).toBe(4)
    const nowhere = { ...wrongKey, PHAROS_URL: 'http://127.0.0.1:1' }
    const away = await desk.pharos(['proof', '01MB78W7FGY7TZHKNWE7WA3Z57'], { env: nowhere })
    expect(away.err).toMatch(/cannot be reached/)
    expect(away.code).toBe(2)
  })

  it('fetches no keys over plain http from another computer', async () => {
    const { code, err } = await desk.pharos(['keyring', 'add', 'http://pharos.example'])
    expect(err).toMatch(/https only/)
    expect(code).toBe(2)
  })
})
