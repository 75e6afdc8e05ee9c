// As whom a service is asked: the profile and the team that a command names, and a key whose service nobody named.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownService } from '../../server/client/ask/ask_service.ts'
import { openTerminal } from '../../shared/cli/terminal.ts'
import { receiptOf, writeEvidence } from '../../shared/evidence/evidence.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import type { JsonObject } from '../../shared/proof/json_value.ts'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'
import { itemBundle, ownItem, ownKeyring, vectorKeyring } from './bundles.ts'
import { sha256 } from './folder_evidence.ts'
import { type Desk, openDesk, type RunOptions } from './run_pharos.ts'
import { atUsualAddress } from './usual_address.ts'

const GENERATE = '/api/json/proof/generate'
const claims = { name: 'a', hash: toHex(sha256('in a.txt')), hash_type: 'sha256' }
const bundle: JsonObject = JSON.parse(itemBundle(claims))

let desk: Desk
let server: AnsweringServer
let seen: (readonly [authorization: string | undefined, tenant: unknown])[]
beforeAll(async () => {
  ;[desk, server] = await Promise.all([openDesk(), openAnsweringServer()])
  await desk.put('keyring.json', ownKeyring)
  server.answers.set('/api/json/users/me', '{"data":{"id":"u","attributes":{"email":"a@example.com"}}}')
  for (const path of [GENERATE, '/log/checkpoint'])
    server.answers.set(path, ({ headers }, response) => {
      seen.push([headers.authorization, headers.tenant])
      response.end(JSON.stringify({ result: bundle }))
    })
  for (const name of ['one', 'two']) {
    const args = ['login', '--url', server.address, '--profile', name, '--with-key', '--insecure-storage']
    const ran = await desk.pharos(args, { input: `phk_${name}` })
    expect(ran.code, ran.err).toBe(0)
  }
  await desk.pharos(['profile', 'use', 'one'])
})
afterAll(async () => {
  await server.close()
  await desk.clear()
})
beforeEach(async () => {
  seen = []
  await desk.put(
    'a.pharos',
    writeEvidence(
      receiptOf({
        digest: { type: 'sha256', value: sha256('in a.txt') },
        trees: [],
        item: { ...ownItem(bundle), service: server.address },
      }),
    ),
  )
})
afterEach(() => {
  seen = []
})

const TEAM = '019a2ce8-be60-74a1-9884-d675915e9850'
const upgrade = (args: readonly string[], env: RunOptions['env'] = {}) =>
  desk.pharos(['upgrade', 'a.pharos', '--dry-run', '--keyring', 'keyring.json', ...args], { env })

describe('a command', { timeout: 120_000 }, () => {
  it('asks with the profile that it names, wherever a file or an address names the service', async () => {
    for (const [args, name] of [
      [[], 'one'],
      [['--profile', 'two'], 'two'],
    ] as const) {
      expect(await upgrade(args)).toMatchObject({ code: 0 })
      await desk.pharos(['status', 'a.pharos', ...args])
      await desk.pharos(['watch', `${server.address}/log`, '--once', ...args])
      await desk.pharos(['audit', '--from', `${server.address}/log`, ...args])
      expect(seen.splice(0)).toEqual(Array.from({ length: 4 }, () => [`Bearer phk_${name}`, undefined]))
    }
    for (const args of [
      ['upgrade', 'a.pharos', '--keyring', 'keyring.json'],
      ['status', 'a.pharos'],
      ['watch', `${server.address}/log`, '--once'],
      ['audit', '--from', `${server.address}/log`],
    ]) {
      const ran = await desk.pharos([...args, '--profile', 'no-such'])
      expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('There is no profile no-such')])
    }
    expect(seen).toEqual([])
  })

  it('acts in the team that it names, also where a file names the service', async () => {
    await desk.pharos(['status', 'a.pharos', '--tenant', TEAM])
    expect(seen).toEqual([['Bearer phk_one', TEAM]])
  })
})

describe('the key of the environment', { timeout: 120_000 }, () => {
  it('is not for the usual service because a file names that, but because the file is of that service', async () => {
    const usual = 'http://localhost:4000'
    const env = {
      ...atUsualAddress(server.address),
      PHAROS_API_KEY: 'phk_env',
      PHAROS_CONFIG_DIR: `${desk.folder}/usual`,
    }
    const item = { ...ownItem(bundle), service: usual }
    const digest = { type: 'sha256', value: sha256('in a.txt') } as const
    await desk.put('a.pharos', writeEvidence(receiptOf({ digest, trees: [], item })))
    const ask = async () => [await upgrade([], env), await desk.pharos(['status', 'a.pharos'], { env })]
    // Nobody has ever asked a service there, or another one is remembered there.
    await desk.put('another.json', vectorKeyring)
    const remember = (keyring: string) =>
      desk.pharos(['keyring', 'add', keyring, '--name', 'localhost:4000'], { env })
    const refused = [...(await ask()), await remember('another.json'), ...(await ask())]
    expect(refused.map(({ code }) => code)).toEqual([4, 4, 0, 4, 4])
    for (const { code, err } of refused)
      if (code === 4) expect(err).toContain(`with a credential of ${usual}`)
    expect(seen).toEqual([])
    // Whoever names it has chosen it.
    await desk.pharos(['status', 'a.pharos', '--url', usual], { env })
    await upgrade([], { ...env, PHAROS_URL: usual })
    expect(seen.splice(0)).toEqual(Array.from({ length: 2 }, () => ['Bearer phk_env', undefined]))
    // As after a stamp there.
    await desk.pharos(['keyring', 'remove', 'localhost:4000'], { env })
    await remember('keyring.json')
    for (const ran of await ask()) expect(ran.code).toBe(0)
    expect(seen).toEqual(Array.from({ length: 2 }, () => ['Bearer phk_env', undefined]))
  })

  it('is for the service that the command names, and else for the usual one alone', async () => {
    const key = { PHAROS_API_KEY: 'phk_env', PHAROS_CONFIG_DIR: `${desk.folder}/empty` }
    await desk.pharos(['status', 'a.pharos', '--url', server.address], { env: key })
    expect(seen).toEqual([['Bearer phk_env', undefined]])
    expect(await upgrade([], key)).toMatchObject({ code: 4 })
    const terminal = openTerminal(process.stdout, process.stderr, key)
    const surroundings = { terminal, env: key, self: 'pharos', values: {} }
    const authorizationAt = async (address: string) =>
      (await ownService(surroundings, new URL(address)))?.credential?.authorization
    expect(await authorizationAt('http://localhost:4000')).toBe('Bearer phk_env')
    for (const other of ['http://localhost:4001', 'https://localhost:4000', 'http://127.0.0.1:4000'])
      expect(await authorizationAt(other)).toBeUndefined()
  })
})
