// The recipes for several servers name what there is: settings, routes, ceilings, and images of one version.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { REFUSALS } from '../../server/kernel/refusal.ts'
import { readConfig } from '../../server/settings/read_settings.ts'
import { SETTING_NAMES } from '../../server/settings/settings.ts'
import { ceilingsOf, purposeNames } from '../../server/store/purposes.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy')
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8')

interface Service {
  readonly image?: string
  readonly environment: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly stop_grace_period?: string
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly read_only?: boolean
  readonly logging?: { readonly options?: Readonly<Record<string, string>> }
}
const compose = read('compose.yaml')
const { services }: { services: Readonly<Record<string, Service>> } = parse(compose, { merge: true })
const servers = Object.entries(services).filter(([name]) => name.startsWith('server'))

/** What stands in the example, or the default of the variable, in place of each variable. */
const filledIn = (text: string): string =>
  text.replaceAll(/\$\{([A-Z_]+)(?::?([-?])([^}]*))?\}/g, (_, name: string, kind?: string, word = '') =>
    kind === '-' ? word : (EXAMPLES[name] ?? 'a'.repeat(64)),
  )
const EXAMPLES: Readonly<Record<string, string>> = { BASE_URL: 'http://localhost:8080' }

describe('the compose file', () => {
  it('has three servers that differ in nothing but the volume of their data folder, two databases and a proxy', () => {
    expect(Object.keys(services)).toEqual(['proxy', 'server1', 'server2', 'server3', 'db1', 'db2'])
    for (const [name, server] of servers)
      expect(server).toEqual({ ...services.server1, volumes: [`${name}:/data`] })
  })

  it('gives the servers settings that exist, with values that are read', () => {
    const known = new Set(SETTING_NAMES)
    const environment = services.server1?.environment ?? {}
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([])
    const values = Object.entries(environment).map(([name, value]) => [name, filledIn(value)])
    const config = readConfig(Object.fromEntries(values), '/pharos')
    expect(config).toMatchObject({ host: '0.0.0.0', port: 4_000, stopDelayMs: 5_000 })
    expect(new URL(config.databaseUrl ?? '').host).toBe('db1:5432')
    expect(new URL(config.readDatabaseUrl ?? '').host).toBe('db2:5432')
  })

  it('stops a server with more patience than its stop takes', () => {
    const grace = Number.parseInt(services.server1?.stop_grace_period ?? '', 10)
    expect(grace).toBeGreaterThan(5 + 7.5)
  })

  it('takes images of one version only', () => {
    for (const { image = '' } of Object.values(services)) expect(image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?$/)
  })

  it('asks routes that exist whether a server lives and is ready', () => {
    expect(services.server1?.healthcheck?.test.join(' ')).toContain('/health/live')
    expect(read('haproxy.cfg')).toContain('uri /health/ready')
  })

  it('waits for the standby by the name that it gives itself, and for nothing else that copies the primary', () => {
    const databases = Object.entries(services).filter(([name]) => name.startsWith('db'))
    const names = databases.map(([name]) => name)
    expect(databases.map(([, { environment }]) => environment.NODE)).toEqual(names)
    for (const [, { environment }] of databases)
      expect(filledIn(environment.SYNCHRONOUS_STANDBYS ?? '')).toBe(names.join())
    expect(read('compose.env.example')).toContain(`\nSYNCHRONOUS_STANDBYS=${names.join()}\n`)
    expect(read('postgres_node.sh')).toContain('cluster_name=$NODE')
    expect(read('postgres_node.sh')).not.toContain('application_name=')
  })

  it('takes a database for up only when it listens where the servers ask, which its first start does not', () => {
    expect(services.db1?.healthcheck?.test).toContain('--host=127.0.0.1')
  })

  it('gives nothing that listens a right that it does not need', () => {
    for (const { security_opt } of Object.values(services))
      expect(security_opt).toEqual(['no-new-privileges:true'])
    for (const [name, { cap_drop, read_only }] of Object.entries(services))
      if (!name.startsWith('db')) expect([cap_drop, read_only], name).toEqual([['ALL'], true])
  })

  it('keeps a limited log of every container', () => {
    for (const { logging } of Object.values(services))
      expect([logging?.options?.['max-size'], logging?.options?.['max-file']]).toEqual(['50m', '5'])
  })

  it('needs nothing that its example does not name', () => {
    const used = new Set([...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name))
    const told = new Set([...read('compose.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name))
    expect([...used].sort()).toEqual([...told].sort())
  })

  it('gives the proxy and the database nodes every variable that they read', () => {
    const asked = (text: string) =>
      new Set([...text.matchAll(/"\$\{?([A-Z_0-9]+)\}?"/g)].map(([, name]) => name))
    expect([...asked(read('haproxy.cfg'))].sort()).toEqual(
      Object.keys(services.proxy?.environment ?? {}).sort(),
    )
    for (const name of [
      'NODE',
      'PRIMARY',
      'SYNCHRONOUS_STANDBYS',
      'REPLICATION_PASSWORD',
      'DATABASE_PASSWORD',
    ])
      expect([
        services.db1?.environment[name] !== undefined,
        read('postgres_node.sh').includes(`$${name}`),
      ]).toEqual([true, true])
  })
})

describe('a database node', () => {
  let volume: string
  beforeEach(async () => {
    volume = await makeTemporaryFolder('pharos-node-')
    await writeFile(join(volume, 'PG_VERSION'), '18')
  })
  afterEach(() => rm(volume, { recursive: true }))

  const start = (primary: string) =>
    spawnSync('/bin/sh', [join(DEPLOY, 'postgres_node.sh')], {
      // Nothing of PostgreSQL is found, so what starts ends there.
      env: { ...{ PATH: '/nowhere', NODE: 'db1', PRIMARY: primary, PGDATA: volume }, ...SECRETS },
      encoding: 'utf8',
    })
  const SECRETS = { SYNCHRONOUS_STANDBYS: '', REPLICATION_PASSWORD: 'x', DATABASE_PASSWORD: 'x' }

  it('with the data of a former primary does not start beside the new one', () => {
    const { status, stderr } = start('db2')
    expect(status).toBe(1)
    expect(stderr).toMatch(/^The volume of db1 is that of a primary, and the primary is db2: remove it/)
  })

  it('with the data of a standby starts, and so does the primary', async () => {
    expect(start('db1').stderr).not.toContain('remove it')
    await writeFile(join(volume, 'standby.signal'), '')
    expect(start('db2').stderr).not.toContain('remove it')
  })
})

describe('the proxy', () => {
  const lines = read('haproxy.cfg')
    .split('\n')
    .map((line) => line.trim())

  it('looks up the names of servers again, because one that is made anew may have another address', () => {
    expect(lines.find((line) => line.startsWith('default-server '))).toContain(' resolvers network ')
    expect(lines).toContain('resolvers network')
  })

  it('answers with JSON of our form while no server is ready', () => {
    const line = lines.find((one) => one.startsWith('http-error status 503 ')) ?? ''
    const told: unknown = JSON.parse(/ string '([^']+)' /.exec(line)?.[1] ?? '')
    expect(told).toMatchObject({
      errors: [{ status: '503', code: expect.toSatisfy((code) => Object.hasOwn(REFUSALS, code)) }],
    })
    expect(line).toMatch(/ hdr Retry-After \d+$/)
  })

  it('tells servers and browsers when a client came by TLS', () => {
    expect(lines).toContain('http-request set-header X-Forwarded-Proto https if { ssl_fc }')
    expect(lines).toContain(
      'http-after-response set-header Strict-Transport-Security max-age=31536000 if { ssl_fc }',
    )
  })

  it('asks each server once for both kinds of requests', () => {
    const [checked = [], tracking = []] = ['servers', 'streams'].map((name) => {
      const from = lines.indexOf(`backend ${name}`)
      const to = lines.findIndex((line, index) => index > from && line === '')
      return lines.slice(from, to === -1 ? undefined : to).filter((line) => line.startsWith('server '))
    })
    expect(tracking).toEqual(
      checked.map((line) => `${line} no-check track servers/${line.split(' ')[1] ?? ''}`),
    )
  })
})

describe('the configuration of PgBouncer', () => {
  const lines = read('pgbouncer/pgbouncer.ini').split('\n')

  it('has a database for each purpose, with the ceilings of its sessions', () => {
    for (const purpose of purposeNames) {
      const line = lines.find((one) => one.startsWith(`pharos_${purpose} = `)) ?? ''
      const [, sets = ''] = /connect_query='((?:[^']|'')*)'/.exec(line) ?? []
      const set = sets.split('; ').map((one) => /^SET (\w+) = (.*)$/.exec(one.replaceAll("''", "'")))
      expect(Object.fromEntries(set.map((one) => [one?.[1], one?.[2]?.replaceAll("'", '')]))).toEqual(
        ceilingsOf(purpose),
      )
    }
  })

  it('shares connections between transactions, and ends no statement before its ceiling', () => {
    expect(lines).toContain('pool_mode = transaction')
    const seconds = Number(lines.find((line) => line.startsWith('query_timeout'))?.split('= ')[1])
    for (const purpose of purposeNames)
      expect(seconds * 1_000).toBeGreaterThan(Number(ceilingsOf(purpose).statement_timeout))
  })
})
