// The master key is changed under running servers, and the command that changes it is killed: nothing sealed is lost.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHeaders, openSecret } from '../../server/domain/webhooks/endpoints/endpoint.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { unopenedValues } from '../../server/store/seal.ts'
import { temporaryFolder, undoAfterEach } from '../store/embedded_support.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { openFaultProxy } from '../support/fault_proxy.ts'
import { type Answer, ask, eventually } from '../support/http.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { commandProcess, runCommand, type ServerProcess, spawnServer } from '../support/server_process.ts'
import { errorsOf, refusals, resourceOf } from '../surfaces/jsonapi/documents.ts'
import { itemBody } from '../surfaces/jsonapi/item_documents.ts'

undoAfterEach()

const OLD = TEST_MASTER_KEY.toString('hex')
const NEW = 'ab'.repeat(32)
const PATH = '/api/json/webhook-endpoints'

let app: TestApp
let dataDir: string
const servers = new Set<ServerProcess>()

beforeEach(async () => {
  app = await openTestApp()
  dataDir = join(await temporaryFolder(), 'data')
})
afterEach(async () => {
  await stopAll()
  await app.close()
})

const start = async (master: string): Promise<number> => {
  const server = spawnServer({
    ...settings(master),
    DATABASE_POOL_SIZE: '12',
    // Only a rotation waits for a block.
    BLOCK_INTERVAL: '2s',
    LIMIT_CALLER_PER_MINUTE: '1000000',
    LIMIT_ADDRESS_PER_MINUTE: '1000000',
  })
  servers.add(server)
  return Number(new URL(await server.ready).port)
}
const stopAll = async (): Promise<void> => {
  for (const server of servers) server.kill('SIGKILL')
  await Promise.all([...servers].map(({ ended }) => ended))
  servers.clear()
}

const settings = (master: string, url = app.database.url) => ({
  DATABASE_URL: url,
  MASTER_KEY: master,
  DATA_DIR: dataDir,
})
/** The words of a command that gives the ledger this key. */
const rewrapTo = async (to: string): Promise<string[]> => {
  const file = join(dataDir, '..', 'next_key')
  await writeFile(file, `${to}\n`)
  return ['key', 'rewrap', '--master-key-file', file]
}
const rewrap = async (from: string, to: string) => runCommand(await rewrapTo(to), settings(from))

const send = (port: number, method: string, path: string, attributes: object): Promise<Answer> =>
  ask(port, path, {
    method,
    key: app.owner.key,
    body: { json: { data: { type: 'webhook_endpoint', attributes } } },
  })

const secretsOf = (text: string) => ({
  auth_type: 'bearer',
  auth_secret: `secret ${text}`,
  custom_headers: { 'X-Trace': `header ${text}` },
})

const create = (port: number, text: string): Promise<Answer> =>
  send(port, 'POST', PATH, {
    // An address needs no name server, and nothing is sent to an endpoint that is off.
    ...{ url: 'https://93.184.215.14/x', resource_type: 'item', events: ['item.created'], enabled: false },
    ...secretsOf(text),
  })

/** One client, which makes an endpoint, then gives it another secret, and so on. */
function openClient(port: number, name: string) {
  /** By endpoint: what was acknowledged last. */
  const acknowledged = new Map<string, string>()
  const refused: Answer[] = []
  let isOver = false
  const work = (async () => {
    for (let round = 0; !isOver; round += 1) {
      const first = `${name} ${round}`
      const made = await create(port, first)
      if (made.status !== 201) {
        refused.push(made)
        continue
      }
      const { id } = resourceOf(made, 201)
      acknowledged.set(id, first)
      const changed = await send(port, 'PATCH', `${PATH}/${id}`, secretsOf(`${first} changed`))
      if (changed.status === 200) acknowledged.set(id, `${first} changed`)
      else refused.push(changed)
    }
  })()
  return {
    acknowledged,
    refused,
    end: async () => {
      isOver = true
      await work
    },
  }
}

interface StoredEndpoint {
  readonly id: string
  readonly secret: Buffer
  readonly headers: Buffer
}

const under = (master: string) => masterKey(Buffer.from(master, 'hex'))

/** What opens under this key, by endpoint. */
async function opened(master: string): Promise<Map<string, string>> {
  const newKey = under(master)
  const stored = await app.query<StoredEndpoint>(
    'SELECT id, sealed_auth_secret AS secret, sealed_custom_headers AS headers FROM webhook_endpoints',
  )
  return new Map(
    stored.map(({ id, secret, headers }) => {
      const text = openSecret(newKey, id, secret).replace(/^secret /, '')
      expect(openHeaders(newKey, id, headers)).toEqual([['X-Trace', `header ${text}`]])
      return [id, text]
    }),
  )
}

describe('a rewrap under two servers', () => {
  it('loses nothing: whatever was acknowledged opens with the new key, and all else was told 503', async () => {
    const ports = await Promise.all([start(OLD), start(OLD)])
    const clients = ports.flatMap((port, server) =>
      Array.from({ length: 3 }, (_, at) => openClient(port, `${server}.${at}`)),
    )
    const all = (holds: (client: (typeof clients)[number]) => boolean) =>
      eventually(() => (clients.every(holds) ? true : undefined))
    await all(({ acknowledged }) => acknowledged.size >= 5)
    const rewrapped = await rewrap(OLD, NEW)
    expect(rewrapped).toMatchObject({ code: 0 })
    expect(rewrapped.said).toMatch(/Restart every server with MASTER_KEY/)
    await all(({ refused }) => refused.length >= 3)
    await Promise.all(clients.map(({ end }) => end()))

    const acknowledged = new Map(clients.flatMap((client) => [...client.acknowledged]))
    expect(await opened(NEW)).toEqual(acknowledged)
    for (const answer of clients.flatMap(({ refused }) => refused)) {
      expect(refusals(answer)).toEqual(['503 master_key_changed'])
      expect(errorsOf(answer)[0]?.detail).toMatch(/restarted|being changed/)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    for (const port of ports) {
      const ready = await ask(port, '/health/ready')
      expect([ready.status, ready.json()]).toEqual([
        503,
        expect.objectContaining({ ready: false, reason: 'master_key_changed' }),
      ])
      expect(await ask(port, PATH, { key: app.owner.key })).toMatchObject({ status: 200 })
    }

    await stopAll()
    const restarted = await start(NEW)
    acknowledged.set(resourceOf(await create(restarted, 'after'), 201).id, 'after')
    expect(await opened(NEW)).toEqual(acknowledged)
  })

  it('and a rotation after it: what needs the new signing key is told 503, what needs none is answered', async () => {
    const port = await start(OLD)
    const { key } = app.owner
    const submit = () => ask(port, '/api/json/items', { key, body: itemBody({}) })
    expect((await submit()).status).toBe(201)
    // A server that has signed a block has opened the signing key, and goes on with it.
    const height = async () =>
      (await app.query<{ height: number }>('SELECT max(height) AS height FROM blocks'))[0]?.height
    await expect.poll(height).toBeGreaterThan(0)
    expect(await rewrap(OLD, NEW)).toMatchObject({ code: 0 })
    expect(await runCommand(['key', 'rotate'], settings(NEW))).toMatchObject({ code: 0 })
    const refused = await eventually(async () => {
      const answer = await submit()
      return answer.status === 201 ? undefined : answer
    })
    expect(refusals(refused)).toEqual(['503 master_key_changed'])
    expect(await ask(port, '/api/json/beacons/latest', { key })).toMatchObject({ status: 200 })
    expect(await ask(port, '/api/json/items', { key })).toMatchObject({ status: 200 })
    expect((await ask(port, '/health/ready')).json()).toMatchObject({ reason: 'master_key_changed' })
    const restarted = await start(NEW)
    expect((await ask(restarted, '/api/json/items', { key, body: itemBody({}) })).status).toBe(201)
  })
})

describe('a rewrap that is killed', () => {
  /** The commit after the key was put in force. */
  const itsCommit = () => {
    let isLast = false
    return (statement: string): boolean => {
      isLast ||= /^UPDATE master_key/.test(statement)
      return isLast && /^commit$/i.test(statement)
    }
  }
  const first = (pattern: RegExp) => () => (statement: string) => pattern.test(statement)

  it.each([
    ['while it waits for its turn', first(/^SELECT pg_advisory_xact_lock/), 'after', false],
    ['before it seals the first value', first(/UPDATE "signing_keys"/), 'before', false],
    ['between two columns', first(/UPDATE "webhook_endpoints"/), 'after', false],
    ['before its commit', itsCommit, 'before', false],
    ['after its commit', itsCommit, 'after', true],
  ] as const)(
    '%s is done by the same words again, and nothing is lost',
    async (_, point, when, isChanged) => {
      const acknowledged = new Map<string, string>()
      const make = async (text: string): Promise<number> => {
        const made = await create(app.port, text)
        if (made.status === 201) acknowledged.set(resourceOf(made, 201).id, text)
        else expect(refusals(made)).toEqual(['503 master_key_changed'])
        return made.status
      }
      expect(await make('before')).toBe(201)
      const proxy = await openFaultProxy(app.database.url)
      try {
        const killed = commandProcess(await rewrapTo(NEW), settings(OLD, proxy.through(app.database.url)))
        await proxy.strike({ matches: point(), when, hook: () => killed.kill('SIGKILL') })
        expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' })
      } finally {
        await proxy.close()
      }
      // Its session may take a moment to end.
      if (!isChanged) await eventually(async () => ((await make('between')) === 201 ? true : undefined))
      else expect(await make('too late')).toBe(503)

      const { code, said } = await rewrap(OLD, NEW)
      expect([code, said]).toEqual([
        0,
        expect.stringMatching(isChanged ? /was in force already/ : /Sealed under the master key/),
      ])
      expect(said).toMatch(/Restart every server with MASTER_KEY set to it now/)
      expect(await opened(NEW)).toEqual(acknowledged)
      for await (const unopened of unopenedValues({ em: app.store.em(), masterKey: under(NEW) }))
        expect.fail(`${unopened.table} ${unopened.id}`)
      expect(await make('too late')).toBe(503)
    },
  )
})
