// `pharos login`, `logout`, `whoami` and `profile`, against the real service. A browser without a screen signs in;
// test/browser/command_line.test.ts does the same with a real one.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postTo, serviceFrom } from '../../server/client/ask/ask_service.ts'
import { openTerminal } from '../../shared/cli/terminal.ts'
import { readVerifierKey, verifierKey, writeVerifierKey } from '../../shared/log/verifier_key.ts'
import { openAnsweringServer } from '../support/answering_server.ts'
import { openWire } from '../support/http.ts'
import { signInAndConsent } from '../support/oauth.ts'
import { testApp } from '../support/test_app.ts'
import { expectMembers } from './frame/json_members.ts'
import { logIn } from './log_in.ts'
import { type Desk, openDesk } from './run_pharos.ts'

const app = testApp()
let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.clear())

const folder = (): string => join(desk.folder, 'config', 'pharos')
const secretFiles = (): Promise<string[]> => readdir(join(folder(), 'secrets')).catch(() => [])
const numberOf = async (table: string): Promise<number> =>
  (await app.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n ?? Number.NaN
const whoami = async (...args: string[]) => {
  const ran = await desk.pharos(['whoami', '--json', ...args])
  return { ...ran, said: ran.code === 0 ? JSON.parse(ran.out) : undefined }
}

describe('pharos login', { timeout: 120_000 }, () => {
  it('says in one line of JSON where to go, and ends when the person has allowed it there', async () => {
    const { code, out, err, shown } = await logIn(desk, app)
    expect(code, err).toBe(0)
    expect(out.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(out)).toEqual({
      url: expect.stringContaining(`${app.base}/oauth/authorize?`),
      next_step: expect.stringContaining('browser'),
      expires_in: 300,
    })
    expect(shown).toContain('You are signed in')
    expect(err).toMatch(/will lie in .*secrets[\s\S]*Signed in at .* \(profile default\)/)
    const { said } = await whoami()
    expectMembers('whoami', said)
    expect(said).toEqual({
      service: app.base,
      profile: 'default',
      account: {
        id: app.owner.userId,
        name: expect.any(String),
        email: 'ada@example.com',
        plan: 'enterprise',
      },
      team: { id: app.owner.teamId, name: expect.any(String), role: 'owner' },
      credential: {
        kind: 'sign_in',
        scopes: ['api:read', 'api:write'],
        ends_at: expect.stringMatching(/^\d{4}-/),
        place: join(folder(), 'secrets', (await secretFiles())[0] ?? ''),
      },
    })
  })

  it('keeps the secret for the owner of the file alone, and out of everything it prints and remembers besides', async () => {
    const { out, err } = await logIn(desk, app)
    const [file = ''] = await secretFiles()
    const path = join(folder(), 'secrets', file)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const secret = JSON.parse(await readFile(path, 'utf8'))
    const config = await readFile(join(folder(), 'config.json'), 'utf8')
    for (const name of ['access_token', 'refresh_token']) {
      expect(secret[name].length).toBeGreaterThan(30)
      expect(`${out}${err}${config}`).not.toContain(secret[name])
    }
  })

  it('remembers the key of the log that the service shows, and holds the log to it from then on', async () => {
    await logIn(desk, app)
    const log = `${app.base}/log`
    const audited = await desk.pharos(['audit', '--from', log])
    expect(audited.code, audited.out).toBe(0)
    const watched = await desk.pharos(['watch', log, '--once'])
    expect([watched.code, watched.out]).toEqual([0, expect.not.stringContaining('believed')])
    const listed = await desk.pharos(['profile', 'ls', '--json'])
    const answer = await fetch(`${app.base}/log/policy`, {
      headers: { authorization: `Bearer ${app.owner.key}` },
    })
    const [, key] = /^log (\S+)/m.exec(await answer.text()) ?? []
    expectMembers('profile ls', JSON.parse(listed.out))
    expect(JSON.parse(listed.out)).toEqual([expect.objectContaining({ name: 'default', log_key: key })])
    const { name, type, publicKey } = readVerifierKey(key ?? '')
    const another = writeVerifierKey(verifierKey(name, type, publicKey.toReversed()))
    expect(await desk.pharos(['profile', 'use', 'default', '--log-key', another])).toMatchObject({ code: 0 })
    expect(await desk.pharos(['audit', '--from', log])).toMatchObject({ code: 1 })
    const stopped = await desk.pharos(['watch', log, '--once'])
    expect([stopped.code, stopped.err]).toEqual([2, expect.stringContaining('remembers another key')])
  })

  it('may do only what the person allowed', async () => {
    await logIn(desk, app, { without: ['api:write'] })
    expect((await whoami()).said.credential.scopes).toEqual(['api:read'])
    const env = { PHAROS_CONFIG_DIR: folder() }
    const terminal = openTerminal(process.stdout, process.stderr, env)
    const service = await serviceFrom({ terminal, env, self: 'pharos', values: {} })
    const claims = { name: 'Paper', description: 'Written down in words that are long enough.' }
    const item = { data: { type: 'item', attributes: { claims } } }
    await expect(postTo(service, '/api/json/items', item)).rejects.toMatchObject({
      exitCode: 1,
      code: '403',
      advice: expect.stringContaining(`pharos login --url ${app.base}`),
    })
  })

  it('ends with 4, and keeps nothing, when the person does not allow it', async () => {
    const { code, err, shown } = await logIn(desk, app, {
      answer: async (browser, url) => {
        const back = await browser.submit(await browser.follow(await browser.get(url)), '/cancel')
        return (await browser.follow(back)).location ?? new URL(app.base)
      },
    })
    expect([code, err]).toEqual([4, expect.stringContaining('access_denied')])
    expect(shown).toContain('You are not signed in')
    expect([await secretFiles(), (await whoami()).code]).toEqual([[], 4])
  })

  it('ends with 4 when nobody comes in time', async () => {
    const ran = await desk.pharos(['login', '--url', app.base, '--insecure-storage', '--timeout', '1'])
    expect([ran.code, JSON.parse(ran.out).expires_in]).toEqual([4, 1])
    expect(ran.err).toContain(`node pharos.mjs login --url ${app.base}`)
  })

  it('takes no answer to a question that it did not ask, and goes on waiting for its own', async () => {
    const strange: number[] = []
    const { code } = await logIn(desk, app, {
      answer: async (browser, url, email) => {
        const home = new URL(url.searchParams.get('redirect_uri') ?? '')
        for (const query of ['', '?code=stolen&state=made-up', '?error=access_denied'])
          strange.push((await fetch(new URL(query, home))).status)
        const wire = await openWire(Number(home.port))
        wire.write('GET //[ HTTP/1.1\r\nhost: x\r\n\r\n')
        expect(await wire.ended).toContain('404 Not Found')
        return signInAndConsent(browser, url, { email })
      },
    })
    expect([code, strange]).toEqual([0, [404, 404, 404]])
  })

  it('ends what the same profile was signed in with before, once the new sign-in is kept', async () => {
    await logIn(desk, app)
    const before = await secretFiles()
    const grants = await numberOf('oauth_grants')
    await logIn(desk, app)
    expect(await secretFiles()).toHaveLength(1)
    expect(await secretFiles()).not.toEqual(before)
    expect(await numberOf('oauth_grants')).toBe(grants)
    expect((await whoami()).code).toBe(0)
  })

  it('refuses before anybody signs in where the system has no store of secrets, and says what can be done', async () => {
    const clients = await numberOf('oauth_clients')
    const env = { PATH: '/nonexistent' }
    const ran = await desk.pharos(['login', '--url', app.base], { env })
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toMatch(/Nothing was kept.*\n.*--insecure-storage.*PHAROS_API_KEY/)
    expect(await numberOf('oauth_clients')).toBe(clients)
  })

  it('sends nobody to another place than the service that was named', async () => {
    const other = await openAnsweringServer()
    const metadata = '/.well-known/oauth-authorization-server'
    const named = await (await fetch(app.base + metadata)).text()
    const login = () => desk.pharos(['login', '--url', other.address, '--insecure-storage'])
    try {
      expect(await login()).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('knows no sign-in'),
      })
      other.answers.set(metadata, named)
      const elsewhere = await login()
      expect(elsewhere).toMatchObject({ code: 2, out: '' })
      expect(elsewhere.err).toMatch(/calls itself http:\/\/localhost:\d+[\s\S]*--url http:\/\/localhost/)
      const { issuer: _, ...endpoints } = JSON.parse(named)
      other.answers.set(metadata, JSON.stringify({ ...endpoints, issuer: other.address }))
      const led = await login()
      expect(led).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('signs nobody in by itself'),
      })
      expect(new Set(other.asked)).toEqual(new Set([metadata]))
    } finally {
      await other.close()
    }
  })

  it('takes an API key from standard input, and tries it first', async () => {
    const args = ['login', '--url', app.base, '--with-key', '--insecure-storage']
    const wrong = await desk.pharos(args, { input: `phk_${'x'.repeat(49)}\n` })
    expect([wrong.code, await secretFiles()]).toEqual([4, []])
    const none = await desk.pharos(args, { input: '\n' })
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('holds no API key')])
    const { code, err } = await desk.pharos(args, { input: `${app.owner.key}\n` })
    expect([code, err]).toEqual([0, expect.not.stringContaining(app.owner.key)])
    expect((await whoami()).said).toMatchObject({
      credential: { kind: 'api_key', scopes: null, ends_at: null },
      profile: 'default',
    })
  })
})

describe('pharos logout', { timeout: 120_000 }, () => {
  it('revokes the sign-in, forgets it, and keeps the address', async () => {
    await logIn(desk, app)
    const grants = await numberOf('oauth_grants')
    const { code, err } = await desk.pharos(['logout'])
    expect([code, err]).toEqual([0, `Signed out of ${app.base} (profile default).\n`])
    expect([await numberOf('oauth_grants'), await secretFiles()]).toEqual([grants - 1, []])
    const after = await whoami()
    expect([after.code, after.err]).toEqual([4, expect.stringContaining(`login --url ${app.base}`)])
    expect(await desk.pharos(['logout'])).toMatchObject({
      code: 0,
      err: 'Nobody is signed in (profile default).\n',
    })
  })

  it('forgets the secret though the service cannot be told, and ends with 2', async () => {
    await logIn(desk, app)
    const away = `globalThis.fetch = () =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('away') }))`
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(away)}` }
    expect(await desk.pharos(['logout'], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('but the service could not be told'),
    })
    expect(await secretFiles()).toEqual([])
    expect((await whoami()).code).toBe(4)
  })

  it('says that an API key goes on', async () => {
    const args = ['login', '--url', app.base, '--with-key', '--insecure-storage']
    await desk.pharos(args, { input: app.owner.key })
    const { code, err } = await desk.pharos(['logout'])
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/It is valid until it is deleted .*\/account\/keys/),
    ])
    expect(await secretFiles()).toEqual([])
  })
})

describe('profiles', { timeout: 120_000 }, () => {
  it('are several services, of which one is in use, or another one for once', async () => {
    const grace = await app.account('grace')
    const keyed = (name: string, key: string) =>
      desk.pharos(['login', '--url', app.base, '--profile', name, '--with-key', '--insecure-storage'], {
        input: key,
      })
    expect([(await keyed('one', app.owner.key)).code, (await keyed('two', grace.key)).code]).toEqual([0, 0])
    const emails = async (...args: string[]) => (await whoami(...args)).said.account.email
    expect(await emails()).toBe('grace@example.com')
    expect(await desk.pharos(['profile', 'use', 'one'])).toMatchObject({ code: 0 })
    expect([await emails(), await emails('--profile', 'two')]).toEqual([
      'ada@example.com',
      'grace@example.com',
    ])
    const named = await desk.pharos(['whoami'], { env: { PHAROS_PROFILE: 'two' } })
    expect(named.out).toMatch(/^account {2}.*grace@example\.com/m)
    const listed = await desk.pharos(['profile', 'ls'])
    expect(listed.out).toMatch(/^\* one +http:.*signed in[\s\S]*^ {2}two +http:.*signed in/m)
    const unknown = await desk.pharos(['whoami', '--profile', 'three'])
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('profile ls')])
  })

  it('give a credential to their own service and to nobody else', async () => {
    const other = await openAnsweringServer()
    const authorizations: unknown[] = []
    other.answers.set('/api/json/users/me', (request, response) => {
      authorizations.push(request.headers.authorization)
      response.end('{"data":{}}')
    })
    try {
      await logIn(desk, app)
      expect((await whoami('--url', other.address)).code).toBe(4)
      const moved = await desk.pharos(['profile', 'use', 'default', '--url', other.address])
      expect([moved.code, moved.err]).toEqual([2, expect.stringContaining('logout --profile default')])
      // Whoever changes the address in the file does not get the secret either: it says whose it is.
      const config = join(folder(), 'config.json')
      await desk.put(
        'config/pharos/config.json',
        (await readFile(config, 'utf8')).replace(app.base, other.address),
      )
      expect((await whoami()).code).toBe(4)
      expect(authorizations).toEqual([])
    } finally {
      await other.close()
    }
  })

  it('come after the environment, whose key goes to the service of PHAROS_URL alone', async () => {
    await logIn(desk, app, { args: ['--insecure-storage', '--profile', 'mine'] })
    const grace = await app.account('hopper')
    const said = async (env: Record<string, string>, ...args: string[]) => {
      const { out, code } = await desk.pharos(['whoami', '--json', ...args], { env })
      return code === 0 ? JSON.parse(out) : code
    }
    const key = { PHAROS_API_KEY: grace.key }
    expect(await said(key)).toMatchObject({
      account: { email: 'hopper@example.com' },
      profile: null,
      credential: { place: 'PHAROS_API_KEY of the environment' },
    })
    const elsewhere = { ...key, PHAROS_URL: 'https://pharos.example' }
    expect(await said(elsewhere, '--profile', 'mine')).toMatchObject({
      account: { email: 'ada@example.com' },
    })
    expect(await said(elsewhere, '--url', app.base)).toMatchObject({ account: { email: 'ada@example.com' } })
  })

  it('lie where PHAROS_CONFIG_DIR says, or below XDG_CONFIG_HOME', async () => {
    expect((await desk.pharos(['config', 'path'])).out).toBe(`${folder()}\n`)
    const env = { PHAROS_CONFIG_DIR: join(desk.folder, 'here') }
    expect((await desk.pharos(['config', 'path'], { env })).out).toBe(`${env.PHAROS_CONFIG_DIR}\n`)
    await desk.pharos(['profile', 'use', 'a', '--url', app.base], { env })
    expect(await readdir(env.PHAROS_CONFIG_DIR)).toEqual(['config.json'])
  })
})
