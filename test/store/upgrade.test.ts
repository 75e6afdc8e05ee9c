// A database of every released version becomes one of this version, and the service goes on as if nothing had happened.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { auditLedger } from '../../server/domain/ledger/audit/audit_ledger.ts'
import { auditLog } from '../../server/domain/log/audit_log.ts'
import { openSecret } from '../../server/domain/webhooks/endpoints/endpoint.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { prepareLedger } from '../../server/start/prepare_ledger.ts'
import { migrate, underMigrationLock } from '../../server/store/migrate.ts'
import { migrationStep } from '../../server/store/migration.ts'
import { MIGRATIONS } from '../../server/store/migrations/in_order.ts'
import { openStore } from '../../server/store/open_store.ts'
import { keyInForce } from '../../server/store/seal.ts'
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../support/database.ts'
import { rows } from '../support/rows.ts'
import { afterwards, temporaryFolder, undoAfterEach } from './embedded_support.ts'
import { schemaOf } from './release_dump.ts'
import { ENDPOINT_SECRET, readItem, readProofOf, speaker } from './release_life.ts'
import { lifeOf, RELEASE_KEY, recordRelease, serverOn } from './release_record.ts'

undoAfterEach()

const FOLDER = join(import.meta.dirname, 'releases')
/** What this working copy would release: so the way there is walked before there is a file. */
const NOW = 'the state of now'
const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql.gz'))

let recorded = ''
beforeAll(async () => {
  const database = await emptyDatabase()
  const session = await connected(database)
  try {
    recorded = await recordRelease(session, database.url, join(await temporaryFolder(), 'data'))
  } finally {
    await session.end()
    await database.drop()
  }
})

/** What a proof says for ever. */
const lasting = z.object({ subject: z.unknown(), block: z.unknown(), inclusion_proof: z.unknown() })

const textOf = async (name: string): Promise<string> =>
  name === NOW ? recorded : gunzipSync(await readFile(join(FOLDER, name))).toString('utf8')

async function connected({ url }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** An empty database with what the release left in it. */
async function restored(name: string): Promise<{ database: TestDatabase; session: pg.Client }> {
  const database = await emptyDatabase()
  const session = await connected(database)
  afterwards(async () => {
    await session.end()
    await database.drop()
  })
  await session.query(await textOf(name))
  return { database, session }
}

describe.each([...files, NOW])('a database of %s', (name) => {
  it('says under which master key it is sealed only to who has that; with it, it has the schema of a new one, and its ledger agrees', async () => {
    const { database, session } = await restored(name)
    const store = openStore({ url: database.url, poolSize: 6 })
    const prepare = (hex: string) =>
      prepareLedger({
        url: database.url,
        store,
        masterKey: masterKey(Buffer.from(hex, 'hex')),
        publicLog: { origin: 'localhost/log' },
      })
    const key = masterKey(Buffer.from(RELEASE_KEY, 'hex'))
    try {
      await expect(prepare('ab'.repeat(32))).rejects.toThrow(/does not open the signing keys/)
      expect(await rows(store.em(), 'SELECT * FROM master_key')).toHaveLength(/^0\.[12]\./.test(name) ? 0 : 1)
      await prepare(RELEASE_KEY)
      await expect(prepare('ab'.repeat(32))).rejects.toThrow(
        /does not open the signing keys.* Its fingerprint is \w{16}, and that of the key in force is \w{16}\./,
      )
      const report = await auditLedger({ em: store.em('ledger'), masterKey: key })
      expect([report.passed, report.disagreements]).toEqual([true, []])
      const log = await auditLog({ em: store.em('ledger'), masterKey: key })
      expect(log).toMatchObject({ tiles: 1, disagreements: [] })
      expect(log.checkpoints).toBeGreaterThan(0)
      const { endpointId } = lifeOf(await textOf(name))
      const [sealed] = await rows<{ secret: Buffer }>(
        store.em(),
        'SELECT sealed_auth_secret AS secret FROM webhook_endpoints WHERE id = $1',
        [endpointId],
      )
      expect(openSecret(key, endpointId, sealed?.secret ?? Buffer.of())).toBe(ENDPOINT_SECRET)
      expect(await keyInForce(store.em())).toBe(key.fingerprint)
    } finally {
      await store.close()
    }
    const fresh = await cloneDatabase()
    const other = await connected(fresh)
    try {
      expect(await schemaOf(session)).toEqual(await schemaOf(other))
    } finally {
      await other.end()
      await fresh.drop()
    }
  })

  it('is served on: keys, items, secrets, proofs, deliveries and the chain go on', async () => {
    const { database, session } = await restored(name)
    const { rows: waiting } = await session.query<{ id: string; attempts: number }>(
      `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - interval '1 day'
        WHERE status = 'pending' AND attempts > 0 RETURNING id, attempts`,
    )
    const life = lifeOf(await textOf(name))
    const server = serverOn(database.url, join(await temporaryFolder(), 'data'))
    afterwards(async () => {
      server.kill('SIGKILL')
      await server.ended
    })
    const base = await server.ready
    const { ask } = speaker(base, life.key)
    for (const item of life.items) expect(await readItem(base, life.key, item.id)).toEqual(item)
    const proof = await readProofOf(base, life.key, life.items[0]?.id ?? '')
    expect(lasting.parse(proof)).toEqual(lasting.parse(life.proof))
    expect(await ask('GET', `/api/json/webhook-endpoints/${life.endpointId}`)).toMatchObject({
      data: { id: life.endpointId, attributes: { auth_type: 'bearer' } },
    })
    expect(await ask('GET', `/api/json/beacons/by-hash/${life.beacon.hash}`)).toMatchObject(life.beacon)
    const grown = () => ask('GET', '/api/json/beacons/latest')
    await expect.poll(grown).not.toMatchObject({ id: life.beacon.id })
    expect(waiting).not.toEqual([])
    const tried = () =>
      session.query('SELECT id, attempts FROM webhook_deliveries WHERE id = ANY ($1)', [
        waiting.map(({ id }) => id),
      ])
    await expect
      .poll(async () => (await tried()).rows)
      .toEqual(expect.arrayContaining(waiting.map(({ id, attempts }) => ({ id, attempts: attempts + 1 }))))
  })
})

it('a later version changes the schema under the rows, and says who did', async () => {
  const { database, session } = await restored(NOW)
  const before = await session.query('SELECT count(*) AS items FROM items')
  const next = migrationStep('Migration9999Next', [
    `ALTER TABLE items ADD note text NOT NULL DEFAULT 'none'`,
    `UPDATE items SET note = display_name WHERE display_name IS NOT NULL`,
  ])
  const later = { version: '99.0.0', migrations: [...MIGRATIONS, next] }
  await underMigrationLock(database.url, (lock) => migrate(lock, later))
  expect((await session.query('SELECT count(*) AS items FROM items')).rows).toEqual(before.rows)
  const newest = await session.query(
    'SELECT name, product_version FROM migrations ORDER BY position DESC LIMIT 2',
  )
  expect(newest.rows).toEqual([
    { name: 'Migration9999Next', product_version: '99.0.0' },
    { name: MIGRATIONS.at(-1)?.name, product_version: manifest.version },
  ])
  const back = underMigrationLock(database.url, (lock) => migrate(lock, { version: manifest.version }))
  await expect(back).rejects.toThrow(/made by Pharos 99\.0\.0 .*this is Pharos/)
})

it.each(files)('%s was made by migrations that have not changed since', async (name) => {
  const applied = [
    ...(await textOf(name)).matchAll(/^INSERT INTO migrations .*?"name": "(\w+)".*?"checksum": "(\w{64})"/gm),
  ].map(([, migration, checksum]) => ({ name: migration, checksum }))
  expect(applied.length).toBeGreaterThan(0)
  expect(MIGRATIONS.slice(0, applied.length)).toMatchObject(applied)
})

it('every released version has its record in test/store/releases (npm run release, in its last commit)', async () => {
  const changelog = await readFile(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  const [inTheMaking, ...released] = [...changelog.matchAll(/^## (\S+)/gm)].map(([, version]) => version)
  expect(inTheMaking).toBe(manifest.version)
  expect(files.map((name) => name.replace(/\.sql\.gz$/, ''))).toEqual(expect.arrayContaining(released))
})
