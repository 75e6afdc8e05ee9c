// The tokens of a sign-in, renewed against the real authorization server, which ends a sign-in whose refresh token comes twice.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askService, serviceFrom } from '../../server/client/ask/ask_service.ts'
import { openTerminal } from '../../shared/cli/terminal.ts'
import { openTestApp } from '../support/app.ts'
import { type LossyProxy, openLossyProxy } from '../support/lossy_proxy.ts'
import { testApp } from '../support/test_app.ts'
import { logIn } from './log_in.ts'
import { type Desk, openDesk } from './run_pharos.ts'

const app = testApp()
let desk: Desk
beforeEach(async () => {
  await app.query('DELETE FROM oauth_grants')
  desk = await openDesk()
  expect(await logIn(desk, app)).toMatchObject({ code: 0 })
})
afterEach(() => desk.clear())

const folder = (): string => join(desk.folder, 'config', 'pharos')
const count = async (what: string): Promise<number> =>
  (await app.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${what}`))[0]?.n ?? Number.NaN
/** Each renewal makes one. */
const accessTokens = (): Promise<number> => count('oauth_access_tokens')
/** As when they have ended, and so long ago that a refresh token that was used may not come again. */
const timePasses = async (): Promise<void> => {
  await app.query('DELETE FROM oauth_access_tokens')
  await app.query(`UPDATE oauth_tickets SET consumed_at = consumed_at - interval '1 minute'`)
}
const whoami = (env: Record<string, string> = {}) => desk.pharos(['whoami', '--json'], { env })

describe('a sign-in', { timeout: 120_000 }, () => {
  it('is renewed when its access token has ended, again and again', async () => {
    for (const _ of [1, 2, 3]) {
      await timePasses()
      expect(await whoami()).toMatchObject({ code: 0, err: '' })
      expect(await accessTokens()).toBe(1)
    }
  })

  it('is renewed once for all that ask at the same time in one process', async () => {
    await timePasses()
    const env = { PHAROS_CONFIG_DIR: folder() }
    const terminal = openTerminal(process.stdout, process.stderr, env)
    const service = await serviceFrom({ terminal, env, self: 'pharos', values: {} })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => askService(service, '/api/json/users/me')),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await accessTokens()).toBe(1)
    await timePasses()
    // Until the server is told that the token is gone, it may still know it.
    const renewed = async () => {
      await askService(service, '/api/json/users/me')
      return accessTokens()
    }
    await expect.poll(renewed).toBe(1)
  })

  it('is renewed once for all processes that ask at the same time, and goes on for each of them', async () => {
    await timePasses()
    const ran = await Promise.all(Array.from({ length: 5 }, () => whoami()))
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(await accessTokens()).toBe(1)
    await timePasses()
    expect(await whoami()).toMatchObject({ code: 0 })
    expect(await readdir(join(folder(), 'turns'))).toEqual([])
  })

  it('is over when it was withdrawn: exit code 4, and what to type', async () => {
    await app.query('DELETE FROM oauth_grants')
    const { code, err } = await whoami()
    expect([code, err]).toEqual([4, expect.stringContaining('node pharos.mjs login --profile default')])
  })

  it('is not taken for ended while the service cannot be reached or has too much to do', async () => {
    const [file = ''] = await readdir(join(folder(), 'secrets'))
    const held = () => readFile(join(folder(), 'secrets', file), 'utf8')
    const before = await held()
    await timePasses()
    await app.query(`ALTER TABLE oauth_tickets RENAME TO away`)
    try {
      const { code, err } = await whoami()
      expect([code, err]).toEqual([2, expect.stringMatching(/answered 5\d\d/)])
    } finally {
      await app.query(`ALTER TABLE away RENAME TO oauth_tickets`)
    }
    expect(await held()).toBe(before)
    expect(await whoami()).toMatchObject({ code: 0 })
  })

  it('waits for nobody who was killed during a renewal', async () => {
    const [file = ''] = await readdir(join(folder(), 'secrets'))
    const turn = join(folder(), 'turns', file.replace('.json', ''))
    await mkdir(join(folder(), 'turns'), { recursive: true })
    const killed = spawn('/bin/sh', ['-c', 'exit'])
    await once(killed, 'exit')
    await writeFile(turn, `${hostname()} ${killed.pid} 0000`)
    await timePasses()
    expect(await whoami()).toMatchObject({ code: 0 })
    // One on another computer, that went away for good.
    await writeFile(turn, 'elsewhere.example 1 0000')
    const longAgo = new Date(Date.now() - 600_000)
    await utimes(turn, longAgo, longAgo)
    await timePasses()
    expect(await whoami()).toMatchObject({ code: 0 })
    expect(await readdir(join(folder(), 'turns'))).toEqual([])
  })
})

it('asks again for an answer that was lost, before the service takes that for theft', {
  timeout: 120_000,
}, async () => {
  const proxy: LossyProxy = await openLossyProxy()
  const behind = await openTestApp({ beside: app, baseUrl: proxy.base })
  try {
    proxy.serve(behind.port)
    const env = { PHAROS_PROFILE: 'behind', PHAROS_URL: proxy.base }
    const login = { args: ['--insecure-storage', '--profile', 'behind'] }
    expect(await logIn(desk, { ...app, base: proxy.base }, login)).toMatchObject({ code: 0 })
    await timePasses()
    proxy.loseAnswer('/oauth/token')
    expect(await whoami(env)).toMatchObject({ code: 0 })
    expect(proxy.lost()).toBe(1)
    await timePasses()
    expect(await whoami(env)).toMatchObject({ code: 0 })
  } finally {
    await behind.close()
    await proxy.close()
  }
})
