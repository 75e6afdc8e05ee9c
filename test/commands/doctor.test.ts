// The doctor: what it says of a sound installation and of each that is not, and that it shows no secret.

import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { runDoctor } from '../../server/commands/doctor.ts'
import {
  type CheckFinding,
  examine,
  findingLines,
  type InstalledSettings,
  installationOf,
} from '../../server/doctor/examine.ts'
import type { chainStandings } from '../../server/domain/commitments/commitment.ts'
import type { sourceStates } from '../../server/domain/entropy/capture_entropy.ts'
import type { witnessStandings } from '../../server/domain/log/witnesses.ts'
import { sendRetries } from '../../server/jobs/retry_webhooks.ts'
import { ceilings } from '../../server/kernel/ceilings.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { paintFor } from '../../shared/cli/terminal.ts'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'
import { openTestApp } from '../support/app.ts'
import { ask } from '../support/http.ts'
import { makeResource } from '../support/make_resource.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { testApp } from '../support/test_app.ts'

type Row<List extends (...given: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<List>>[number]
type ChainStanding = Row<typeof chainStandings>
type SourceState = Row<typeof sourceStates>
type WitnessStanding = Row<typeof witnessStandings>

const PASSWORD = 'hunter2-and-more'

const app = testApp()
let world: AnsweringServer
let dataDir: string
beforeAll(async () => {
  world = await openAnsweringServer()
  dataDir = await makeTemporaryFolder('pharos-doctor-')
})
afterAll(async () => {
  await world.close()
  await rm(dataDir, { recursive: true })
})

const sound = (): InstalledSettings => ({
  version: manifest.version,
  host: '127.0.0.1',
  port: app.port,
  base: app.base,
  metricsToken: undefined,
  dataDir,
  isEmbedded: false,
  tsa: { certificate: undefined },
  database: async () => ({ setting: 'DATABASE_URL', url: app.database.url }),
  listenDatabaseUrl: undefined,
  readDatabaseUrl: undefined,
  connections: 20,
  workers: 1,
  now: Date.now,
  freeBytes: async () => 50e9,
  openFiles: 65_536,
  ceilings: ceilings(),
  masterKey: async () => app.masterKey,
  blockIntervalMs: 3_600_000,
})

interface Told {
  readonly code: number
  readonly findings: readonly CheckFinding[]
  readonly text: string
}

async function examined(settings: Partial<InstalledSettings>): Promise<Told> {
  const pieces: string[] = []
  const out = { write: (piece: string) => void pieces.push(piece) }
  const installation = { mistakes: [], secrets: [PASSWORD], settings: { ...sound(), ...settings } }
  const code = await runDoctor(installation, { json: true }, out)
  const text = pieces.join('')
  return { code, text, findings: JSON.parse(text).findings }
}

const clockAt = (aheadMs: number) => () => Date.now() + aheadMs

const of = ({ findings }: Told, check: string) => findings.filter((one) => one.check === check)

it('finds nothing wrong with a sound installation, and looks at everything', async () => {
  // It has no address.
  await makeResource(app, 'webhook_endpoint', {
    kind: 'pull',
    resource_type: 'item',
    events: ['item.created'],
  })
  const told = await examined({})
  // The database of the suite does not wait for the disk.
  expect(told.findings.filter(({ check, state }) => state === 'wrong' && check !== 'durability')).toEqual([])
  expect([...new Set(told.findings.map(({ check }) => check))]).toEqual([
    ...['settings', 'exposure', 'files', 'disk', 'open files', 'server', 'sources', 'chains', 'time stamps'],
    'database',
    ...['durability', 'role', 'connections', 'schema', 'clock', 'notices', 'master key', 'sealed values'],
    ...['head', 'queues', 'retries', 'rounds', 'webhooks'],
  ])
})

describe('says what is wrong, and what to do', () => {
  const nobody = 'postgresql://pharos:hunter2-and-more@127.0.0.1:9/none'
  const cases: [string, string, 'wrong' | 'warning', RegExp, () => Partial<InstalledSettings>][] = [
    [
      'a database that is away',
      'database',
      'wrong',
      /does not answer/,
      () => ({ database: async () => ({ setting: 'DATABASE_URL', url: nobody }) }),
    ],
    [
      'no TLS',
      'exposure',
      'wrong',
      /unencrypted/,
      () => ({ host: '0.0.0.0', base: 'http://pharos.example.com' }),
    ],
    ['no token for metrics', 'exposure', 'warning', /METRICS_TOKEN/, () => ({ host: '0.0.0.0' })],
    [
      'a server that is away',
      'server',
      'wrong',
      /does not answer/,
      () => ({ base: 'http://127.0.0.1:9', port: 9 }),
    ],
    [
      'a public address that does not lead here from this machine',
      'server',
      'warning',
      /is ready, but http:\/\/127\.0\.0\.1:9 does not answer from here/,
      () => ({ base: 'http://127.0.0.1:9', host: '0.0.0.0', port: app.port, metricsToken: 'x'.repeat(16) }),
    ],
    ['something else at its address', 'server', 'wrong', /something else/, () => ({ base: world.address })],
    ['another version', 'server', 'warning', /is version/, () => ({ version: '99.0.0' })],
    [
      'another master key',
      'master key',
      'wrong',
      /does not open/,
      () => ({ masterKey: async () => masterKey(Buffer.alloc(32, 91)) }),
    ],
    ['too few connections', 'connections', 'wrong', /takes up to/, () => ({ connections: 100_000 })],
    ['too few for its workers', 'connections', 'wrong', /takes up to/, () => ({ workers: 100_000 })],
    [
      'a database that does not wait for the disk',
      'durability',
      'wrong',
      /fsync is off/,
      () => ({ database: async () => ({ setting: 'DATABASE_URL', url: app.database.url }) }),
    ],
    [
      'a role that may do everything',
      'role',
      'warning',
      /is a superuser/,
      () => ({ database: async () => ({ setting: 'DATABASE_URL', url: app.database.superuserUrl }) }),
    ],
    ['clocks that differ a little', 'clock', 'warning', /3 s apart/, () => ({ now: clockAt(-3_500) })],
    ['clocks that differ much', 'clock', 'wrong', /1 h apart/, () => ({ now: clockAt(3_601_000) })],
    [
      'a full disk',
      'disk',
      'wrong',
      /has 0.1 GB left/,
      () => ({ isEmbedded: true, freeBytes: async () => 1e8 }),
    ],
    [
      'too few open files for its connections',
      'open files',
      'warning',
      /^1024 files may be open, so a server takes 512 connections where LIMIT_CONNECTIONS says 20000/,
      () => ({ openFiles: 1_024 }),
    ],
    [
      'a disk that is nearly full',
      'disk',
      'warning',
      /has 2.0 GB left/,
      () => ({ isEmbedded: true, freeBytes: async () => 2e9 }),
    ],
    [
      'a pooler without a database for a purpose',
      'pooler',
      'wrong',
      /does not answer|does not exist|DATABASE_URL/,
      () => ({
        database: async () => ({
          setting: 'LISTEN_DATABASE_URL',
          url: app.database.url,
          poolerUrl: app.database.url.replace(/\/[^/]*$/, '/none_{purpose}'),
        }),
      }),
    ],
    [
      'a primary as a replica',
      'replica',
      'warning',
      /no replica/,
      () => ({ readDatabaseUrl: app.database.url }),
    ],
    [
      'notices that do not arrive',
      'notices',
      'wrong',
      /LISTEN_DATABASE_URL/,
      () => ({ listenDatabaseUrl: app.database.url.replace(/\/[^/]*$/, '/postgres') }),
    ],
    ['blocks that do not come', 'head', 'wrong', /should be one/, () => ({ blockIntervalMs: -1e9 })],
    ['no data folder', 'files', 'wrong', /cannot be read/, () => ({ dataDir: '/nowhere', isEmbedded: true })],
  ]
  it.each(cases)('%s', async (_, check, state, words, settings) => {
    const told = await examined(settings())
    const [found] = of(told, check).filter((one) => one.state === state)
    expect(found?.text).toMatch(words)
    expect(told.code).toBe(told.findings.some((one) => one.state === 'wrong') ? 1 : 0)
    expect(told.text).not.toContain(PASSWORD)
    expect(told.text).not.toMatch(/\n\s+at /)
  })

  it('a ledger behind what was signed, with the ways out', async () => {
    world.answers.set('/health/ready', '{"ready":false,"reason":"behind_what_was_signed"}')
    const [found] = of(await examined({ base: world.address }), 'server')
    world.answers.delete('/health/ready')
    expect(found).toMatchObject({ state: 'wrong', advice: expect.stringContaining('log accept-fork') })
  })

  it('a server that was not restarted after a change of the master key', async () => {
    world.answers.set('/health/ready', '{"ready":false,"reason":"master_key_changed"}')
    const [found] = of(await examined({ base: world.address }), 'server')
    world.answers.delete('/health/ready')
    expect(found).toMatchObject({ state: 'wrong', advice: expect.stringContaining('restart it') })
  })

  it('every sealed value that does not open, by table and id, and nothing of it', async () => {
    const spoilt = await openTestApp()
    const look = async (settings: Partial<InstalledSettings> = {}) =>
      of(
        await examined({
          database: async () => ({ setting: 'DATABASE_URL', url: spoilt.database.url }),
          ...settings,
        }),
        'sealed values',
      )
    try {
      expect(await look()).toMatchObject([{ state: 'ok' }])
      await spoilt.query(
        `INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, auth_type, enabled, sealed_auth_secret)
         SELECT 'endpoint ' || n, $1, 'https://hooks.example.com/x', 'item', '{created}', 'bearer', true, 'sealed elsewhere'
           FROM generate_series(10, 39) AS n`,
        [spoilt.owner.userId],
      )
      const found = await look()
      expect(found[0]).toMatchObject({
        state: 'wrong',
        text: 'sealed_auth_secret of webhook_endpoints endpoint 10 does not open.',
        advice: expect.stringMatching(/key rewrap to that key.*give it again/),
      })
      expect([found.length, found.at(-1)?.text]).toEqual([21, 'So do 10 more.'])
      expect(JSON.stringify(found)).not.toContain('sealed elsewhere')
      // The check of the key says what is wrong then.
      expect(await look({ masterKey: async () => masterKey(Buffer.alloc(32, 91)) })).toEqual([])
    } finally {
      await spoilt.close()
    }
  })

  it('a secret that others can read', async () => {
    const path = join(dataDir, 'master_key')
    await writeFile(path, 'x', { mode: 0o644 })
    await chmod(path, 0o644)
    expect(of(await examined({}), 'files')).toMatchObject([
      { state: 'wrong', advice: expect.stringMatching(/chmod 600/) },
    ])
    await chmod(path, 0o600)
    expect(of(await examined({}), 'files')).toMatchObject([{ state: 'ok' }])
  })

  it('each part of what the server says of itself, and none where it says something else', async () => {
    const before = '2026-11-23T00:00:00Z'
    const source: SourceState = {
      source: 'entropy_nist',
      state: 'failing',
      last_success_at: null,
      failing_since: before,
      failing_seconds: 3_600,
      failure: 'bad_status',
    }
    const chain: ChainStanding = {
      chain: 'bitcoin',
      network: null,
      answered_at: null,
      confirmed_sequence: null,
      confirmed_at: null,
      waiting_since: null,
      waiting: 0,
      error: 'it refuses what it is asked',
    }
    const witness: WitnessStanding = {
      witness: 'w+0a1b2c3d',
      cosigned_at: null,
      missing_since: before,
      trouble: 'away',
    }
    const say = async (parts: object) => {
      world.answers.set('/health/ready', JSON.stringify({ ready: true, version: manifest.version, ...parts }))
      const told = await examined({ base: world.address })
      world.answers.delete('/health/ready')
      return told
    }
    const told = await say({
      ...{ entropy: [source], chains: [chain], witnesses: [witness], notices: 'interrupted' },
      ...{ replica: { state: 'behind', lag_ms: 9_000 }, chain_replaced: { ago_ms: 61_000 } },
    })
    for (const [check, words] of [
      ['sources', /entropy_nist has failed for 1 h \(bad_status\)/],
      ['chains', /bitcoin: it refuses/],
      ['witnesses', /w\+0a1b2c3d has not cosigned since 2026-11-23T00:00:00Z \(away\)/],
    ] as const)
      expect(of(told, check)).toMatchObject([
        { state: 'warning', text: expect.stringMatching(words), advice: expect.any(String) },
      ])
    expect(of(told, 'server').map(({ state, text }) => [state, text])).toEqual([
      ['ok', expect.stringContaining('is ready')],
      ['warning', expect.stringContaining('hears no notices')],
      ['warning', expect.stringContaining('its replica (behind)')],
      ['warning', expect.stringContaining('1 min ago that the chain was replaced')],
    ])
    const well = await say({
      entropy: [{ ...source, state: 'answering', failure: null }],
      chains: [{ ...chain, error: null, answered_at: before, waiting: 1 }],
      witnesses: [{ ...witness, missing_since: null }],
    })
    for (const [check, text] of [
      ['sources', 'entropy_nist answers.'],
      ['chains', 'bitcoin answers, 1 epoch waits.'],
      ['witnesses', 'w+0a1b2c3d cosigns.'],
    ] as const)
      expect(of(well, check)).toMatchObject([{ state: 'ok', text }])
    const other = await say({ entropy: 'well', chains: [7] })
    expect([of(other, 'server').length, of(other, 'sources'), of(other, 'chains')]).toEqual([1, [], []])
  })

  it('with the server away what the database itself shows, and nothing that only a server knows', async () => {
    const told = await examined({ base: 'http://127.0.0.1:9', port: 9 })
    const checks = new Set(told.findings.map(({ check }) => check))
    for (const check of ['durability', 'schema', 'master key', 'head', 'queues'])
      expect(checks).toContain(check)
    for (const check of ['sources', 'chains']) expect(checks).not.toContain(check)
  })

  it('how old the oldest round is that a chain has not confirmed, and how many a day brings', async () => {
    world.answers.set(
      '/health/ready',
      JSON.stringify({
        ready: true,
        version: manifest.version,
        round_unconfirmed_seconds: { bitcoin: 25_000, stellar: 0 },
      }),
    )
    const { findings } = await examined({ base: world.address })
    world.answers.delete('/health/ready')
    const told = findings.filter(({ check }) => check === 'rounds').map(({ state, text }) => [state, text])
    expect(told).toEqual([
      ['warning', expect.stringMatching(/oldest round that bitcoin has not confirmed is .* old/)],
      ['ok', 'No round waits for stellar.'],
      ['ok', 'Nothing was stamped without an account in the last day.'],
    ])
    const answer = await ask(app.port, '/stamp', {
      body: JSON.stringify({ digests: [{ type: 'sha256', value: 'ab'.repeat(32) }] }),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(answer.status).toBe(200)
    const [last] = (await examined({})).findings.filter(({ check }) => check === 'rounds')
    expect(last?.text).toMatch(/has 1 round .* about 190 MB a day/)
  })

  it.each([
    ['database_differs', /clocks of the server and of its database differ/],
    ['time_servers_differ', /too few of TSA_TIME_SERVERS agree/],
  ])('that nothing is time-stamped because of a clock: %s', async (time_stamp_clock, words) => {
    const health = { ready: true, version: manifest.version, time_stamp_clock }
    world.answers.set('/health/ready', JSON.stringify(health))
    const [first] = of(await examined({ base: world.address }), 'time stamps')
    world.answers.delete('/health/ready')
    expect(first).toMatchObject({ state: 'wrong', text: expect.stringMatching(words) })
  })

  it('until when a certificate signs time stamps that the operator brought', async () => {
    const tsa = { certificate: '/etc/pharos/tsa.pem' }
    const said = async (settings: Partial<InstalledSettings> = { tsa }) =>
      of(await examined(settings), 'time stamps').at(-1)
    expect(await said()).toMatchObject({ state: 'ok', text: expect.stringContaining('No server has begun') })
    const brought = async (days: number) => {
      await app.query(`DELETE FROM time_stamp_certificates WHERE role = 'brought'`)
      await app.query(
        `INSERT INTO time_stamp_certificates (role, fingerprint, certificate, chain, signs_until)
         VALUES ('brought', sha256('x'), 'x', '{}', pharos_now() + $1 * interval '1 day')`,
        [days],
      )
    }
    await brought(90)
    expect(await said()).toMatchObject({
      state: 'ok',
      text: expect.stringMatching(/signs time stamps for .* more/),
    })
    await brought(20)
    expect(await said()).toMatchObject({
      state: 'warning',
      advice: expect.stringContaining('TSA_CERTIFICATE'),
    })
    await brought(-1)
    expect(await said()).toMatchObject({ state: 'wrong' })
    // What is brought no more is nobody's concern.
    expect(await said({})).toMatchObject({ state: 'ok', text: expect.stringContaining('renewed by itself') })
    await app.query(`DELETE FROM time_stamp_certificates WHERE role = 'brought'`)
  })

  it('what stands in the database: schema, queues, webhooks', async () => {
    const broken = await openTestApp()
    await broken.query("INSERT INTO migrations VALUES (999, '9999_later', '', '9.9.9', now(), 1)")
    await broken.query("INSERT INTO waiting_moments VALUES ('0000000000', 1)")
    await broken.query(
      `INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, auth_type, enabled)
       SELECT url, id, url, 'item', '{created}', 'none', true
         FROM (SELECT id FROM users WHERE email IS NOT NULL) users, unnest(ARRAY['https://nowhere.invalid/hook', 'https://receiver.pharos.test/token']) AS url`,
    )
    const look = () =>
      examined({ database: async () => ({ setting: 'DATABASE_URL', url: broken.database.url }) })
    const told = await look()
    for (const [check, words] of [
      ['schema', /newer/],
      ['queues', /item without a block/],
      ['webhooks', /1 of 1 hosts .* nowhere\.invalid/],
    ] as const)
      expect(of(told, check)).toMatchObject([
        { text: expect.stringMatching(words), advice: expect.any(String) },
      ])
    await broken.query("UPDATE waiting_moments SET moment = left(ulid_floor(now() + interval '1 hour'), 10)")
    expect(of(await look(), 'queues')).toMatchObject([
      { text: expect.stringMatching(/time that comes in/), advice: expect.any(String) },
    ])
    await sendRetries(broken.store.em(), [
      { endpointId: 'one', afterMs: 90_000 },
      { endpointId: 'another', afterMs: 7_200_000 },
    ])
    expect(of(await look(), 'retries')).toMatchObject([
      { state: 'ok', text: 'At 2 webhooks something is to be tried again, first in 1 min.' },
    ])
    await broken.query('DELETE FROM migrations WHERE position = 999 OR position = 1')
    expect(of(await look(), 'schema')).toMatchObject([{ text: expect.stringMatching(/lacks 1/) }])
    await broken.close()
  })

  it('every mistake in the settings, and then nothing else', async () => {
    const environment = { PORT: 'x', BLOCK_INTERVAL: 'often', DATABASE_URL: `postgres://a:${PASSWORD}@h/d` }
    const pieces: string[] = []
    const out = { write: (piece: string) => void pieces.push(piece) }
    expect(await runDoctor(installationOf(environment, '/nowhere'), {}, out)).toBe(1)
    const text = pieces.join('')
    expect(text.match(/^WRONG /gm)).toHaveLength(3)
    for (const name of ['PORT', 'BLOCK_INTERVAL', 'MASTER_KEY']) expect(text).toContain(name)
    expect(text).not.toContain(PASSWORD)
  })
})

describe('each check', () => {
  const all = async (run: () => Promise<readonly CheckFinding[]>, secrets: readonly string[] = []) => {
    const found: CheckFinding[] = []
    for await (const one of examine([{ name: 'one', run }], { secrets, patienceMs: 20 })) found.push(one)
    return found
  }

  it('has a time limit, and one that throws is a finding of one line without a secret', async () => {
    expect(await all(() => new Promise(() => undefined))).toMatchObject([
      { state: 'wrong', text: expect.stringMatching(/No answer/) },
    ])
    const fault = new Error(`refused ${PASSWORD}\n    at somewhere`)
    expect(await all(() => Promise.reject(fault), [PASSWORD])).toEqual([
      { check: 'one', state: 'wrong', text: 'refused (hidden)' },
    ])
  })

  it('has colours on terminals only, and nothing that steers one', () => {
    const found: CheckFinding = { check: 'one', state: 'wrong', text: 'a\u001b[2Jb', advice: 'c\nd' }
    expect(findingLines(found, paintFor({}, {}))).toBe(
      `WRONG one           a\ufffd[2Jb\n${' '.repeat(20)}c\ufffdd`,
    )
    expect(findingLines(found, paintFor({ isTTY: true }, {}))).toContain('\u001b[31mWRONG \u001b[0m')
  })
})
