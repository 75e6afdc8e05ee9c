// Where the secret lies. The stores belong to the system, so a program that acts like its tool stands in on PATH; the one of
// this system is tried as well where it answers.
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newSecretId } from '../../server/client/sign_in/profiles.ts'
import { runTool, type StoreName, secretStore } from '../../server/client/sign_in/secret_store.ts'
import { testApp } from '../support/test_app.ts'
import { logIn } from './log_in.ts'
import { type Desk, openDesk } from './run_pharos.ts'

/** Keeps each secret in a file, and writes down the words that it is called with. */
const TOOL = (body: string): string => `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const home = __dirname
const words = process.argv.slice(2)
appendFileSync(join(home, 'called.jsonl'), JSON.stringify(words) + '\\n')
const fail = (text, code = 1) => { process.stderr.write(text); process.exit(code) }
if (existsSync(join(home, 'locked'))) fail('it is locked\\n')
${body}
`

/** As libsecret's tool does: the attributes name a secret, which \`store\` reads from standard input. */
const SECRET_TOOL = TOOL(`
const [verb, ...rest] = words
const attributes = rest.filter((word) => !word.startsWith('--label='))
const file = join(home, 'kept ' + attributes.join(' '))
if (verb === 'store') writeFileSync(file, readFileSync(0, 'utf8'))
else if (verb === 'lookup') existsSync(file) ? process.stdout.write(readFileSync(file, 'utf8')) : fail('')
else if (verb === 'clear') existsSync(file) ? rmSync(file) : fail('')
else fail('usage\\n', 2)`)

/** As that of macOS does: \`-i\` reads commands from standard input and ends well whatever became of them. */
const SECURITY = TOOL(`
const run = ([verb, ...rest]) => {
  const of = (name) => rest[rest.indexOf(name) + 1]
  const file = join(home, 'kept ' + of('-s') + ' ' + of('-a'))
  if (verb === 'add-generic-password') return writeFileSync(file, of('-w'))
  if (!existsSync(file)) fail('security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\\n', 44)
  if (verb === 'find-generic-password') return process.stdout.write(readFileSync(file, 'utf8') + '\\n')
  if (verb === 'delete-generic-password') return rmSync(file)
  fail('usage\\n', 2)
}
if (words[0] !== '-i') run(words)
else for (const line of readFileSync(0, 'utf8').split('\\n').filter(Boolean)) run(line.match(/"[^"]*"|\\S+/g).map((word) => word.replaceAll('"', '')))`)

const TOOLS: Readonly<Partial<Record<StoreName, string>>> = { 'secret-tool': SECRET_TOOL, security: SECURITY }

let bin: string
beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), 'pharos-tools-'))
  for (const [name, text] of Object.entries(TOOLS)) {
    await writeFile(join(bin, name), text)
    await chmod(join(bin, name), 0o755)
  }
})
afterEach(() => rm(bin, { recursive: true, force: true }))

const SECRET = '{"origin":"https://pharos.example","api_key":"phk_\\"quoted\\" and spaced"}'
const calls = (): Promise<string> => readFile(join(bin, 'called.jsonl'), 'utf8')
const kept = async (): Promise<string[]> => (await readdir(bin)).filter((name) => name.startsWith('kept '))

describe.each(['secret-tool', 'security', 'file'] as const)('the store %s', (name) => {
  const store = () => secretStore({ PATH: bin, PHAROS_CONFIG_DIR: bin }, name)

  it('gives back what it was given, replaces it, and forgets it', async () => {
    const id = newSecretId()
    expect(await store().read(id)).toBeUndefined()
    await store().write(id, 'something else', 'Pharos https://pharos.example')
    await store().write(id, SECRET, 'Pharos https://pharos.example')
    expect([await store().read(id), await store().read(newSecretId())]).toEqual([SECRET, undefined])
    await store().remove(id)
    await store().remove(id)
    expect(await store().read(id)).toBeUndefined()
  })

  it('has a place that a person understands', () => {
    expect(store().placeOf('ab')).toMatch(
      name === 'file' ? /secrets\/ab\.json$/ : new RegExp(`\\(${name}\\)$`),
    )
  })
})

describe.each(['secret-tool', 'security'] as const)('the tool %s', (name) => {
  const store = () => secretStore({ PATH: bin }, name)

  it('is never told a secret in its arguments, which every process can read', async () => {
    const id = newSecretId()
    await store().write(id, SECRET, 'Pharos')
    await store().read(id)
    await store().remove(id)
    for (const form of [
      SECRET,
      Buffer.from(SECRET).toString('base64url'),
      Buffer.from(SECRET).toString('base64'),
    ])
      expect(await calls()).not.toContain(form)
    expect(await calls()).toContain(id)
  })

  it('that does not do what it is asked is told so, and nothing passes for kept', async () => {
    await writeFile(join(bin, 'locked'), '')
    const id = newSecretId()
    for (const ask of [
      () => store().write(id, SECRET, 'Pharos'),
      () => store().read(id),
      () => store().remove(id),
    ])
      await expect(ask()).rejects.toThrow(/it is locked/)
  })

  it('that is not there is no store', async () => {
    await rm(join(bin, name))
    await expect(store().read(newSecretId())).rejects.toThrow(/no store of secrets/)
  })
})

describe('a sign-in with the store of the system', { timeout: 120_000 }, () => {
  const app = testApp()
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
  })
  afterEach(() => desk.clear())

  it.skipIf(process.platform === 'darwin')(
    'lies there and nowhere else, is renewed there, and is gone after logout',
    async () => {
      const env = { PATH: bin }
      const { code, err } = await logIn(desk, app, { args: [], env })
      expect([code, err]).toEqual([
        0,
        expect.stringContaining('lies in the keyring of this desktop (secret-tool)'),
      ])
      expect(await readdir(join(desk.folder, 'config', 'pharos'))).toEqual(['config.json'])
      const [file = ''] = await kept()
      const tokens = () => readFile(join(bin, file), 'utf8').then(JSON.parse)
      const first = await tokens()
      await app.query('DELETE FROM oauth_access_tokens')
      const said = await desk.pharos(['whoami', '--json'], { env })
      expect(JSON.parse(said.out).credential.place).toBe('the keyring of this desktop (secret-tool)')
      expect((await tokens()).refresh_token).not.toBe(first.refresh_token)
      await rm(join(bin, file))
      const lost = await desk.pharos(['whoami'], { env })
      expect([lost.code, lost.err]).toEqual([
        4,
        expect.stringMatching(/gone from the keyring[\s\S]*login --profile default/),
      ])
      expect((await logIn(desk, app, { args: [], env })).code).toBe(0)
      expect(await desk.pharos(['logout'], { env })).toMatchObject({ code: 0 })
      expect(await kept()).toEqual([])
      for (const secret of [first.access_token, first.refresh_token])
        expect(await calls()).not.toContain(secret)
    },
  )
})

it('the store of this very system does the same, where there is one that answers', {
  timeout: 120_000,
}, async (test) => {
  const env = process.env
  const probing = runTool(env, ['secret-tool', 'search', 'service', newSecretId()])
  if (!(await probing.catch(() => ({ isDone: false }))).isDone) return test.skip()
  const store = secretStore(env, 'secret-tool')
  const id = newSecretId()
  await store.write(id, SECRET, 'Pharos (a test)')
  expect(await store.read(id)).toBe(SECRET)
  await store.remove(id)
  expect(await store.read(id)).toBeUndefined()
})
