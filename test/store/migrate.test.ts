// The schema goes forward only, says how it came to be, and is never touched by a Pharos that does not know it.
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate, underMigrationLock } from '../../server/store/migrate.ts'
import { type MigrationStep, migrationStep } from '../../server/store/migration.ts'
import { MIGRATIONS } from '../../server/store/migrations/in_order.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

const FIRST = migrationStep('Migration0001Ships', ['CREATE TABLE ships (name text)'])
const SECOND = migrationStep('Migration0002Lights', ['CREATE TABLE lights (name text)'])

let database: TestDatabase
let client: pg.Client
beforeEach(async () => {
  database = await emptyDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

const start = (version: string, migrations: readonly MigrationStep[], tell?: (line: string) => void) =>
  underMigrationLock(
    database.url,
    (session) => migrate(session, { version, migrations, tellEveryMs: 300, ...(tell && { tell }) }),
    tell,
  )
const recorded = async () =>
  (
    await client.query<{ name: string; checksum: string; product_version: string }>(
      'SELECT name, checksum, product_version FROM migrations ORDER BY position',
    )
  ).rows
const tables = async () =>
  (
    await client.query<{ tablename: string }>(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' ORDER BY 1`,
    )
  ).rows.map(({ tablename }) => tablename)

describe('the schema', () => {
  it('records of every migration which Pharos applied it, and its checksum', async () => {
    expect(await start('0.1.0', [FIRST])).toEqual(['Migration0001Ships'])
    expect(await start('0.2.0', [FIRST, SECOND])).toEqual(['Migration0002Lights'])
    expect(await start('0.2.0', [FIRST, SECOND])).toEqual([])
    expect(await recorded()).toEqual([
      { name: FIRST.name, checksum: FIRST.checksum, product_version: '0.1.0' },
      { name: SECOND.name, checksum: SECOND.checksum, product_version: '0.2.0' },
    ])
  })

  it('of a newer Pharos is refused by an older one, which names both versions', async () => {
    await start('0.2.0', [FIRST, SECOND])
    const older = start('0.1.0', [FIRST])
    await expect(older).rejects.toThrow(
      /made by Pharos 0\.2\.0.*this is Pharos 0\.1\.0.*Start Pharos 0\.2\.0/s,
    )
    expect(await tables()).toEqual(['lights', 'ships'])
  })

  it('with a migration that was changed after its release is refused', async () => {
    await start('0.1.0', [FIRST])
    const changed = migrationStep(FIRST.name, ['CREATE TABLE ships (name text, flag text)'])
    await expect(start('0.2.0', [changed, SECOND])).rejects.toThrow(
      /made by Pharos 0\.1\.0 with another Migration0001Ships.*Nothing was changed/s,
    )
    expect(await tables()).toEqual(['ships'])
  })

  it.each([
    [
      'another form of a migration',
      () => start('0.1.0', [migrationStep(FIRST.name, ['CREATE TABLE boats ()'])]),
    ],
    ['a migration that is no more', () => start('0.1.0', [SECOND])],
    [
      'no record of checksums',
      () =>
        client.query(
          `CREATE TABLE migrations (id serial, name text, executed_at timestamptz);
           INSERT INTO migrations (name) VALUES ('Migration0001Ships')`,
        ),
    ],
  ])('of a development state of the same version (%s) says plainly to begin anew', async (_, made) => {
    await made()
    await expect(start('0.1.0', [FIRST])).rejects.toThrow(
      /development state of Pharos 0\.1\.0.*Begin with an empty one/s,
    )
  })

  it('is the old one after a migration that fails: all or nothing', async () => {
    await start('0.1.0', [FIRST])
    const broken = migrationStep('Migration0003Fog', ['CREATE TABLE fog ()', 'SELECT 1 / 0'])
    await expect(start('0.2.0', [FIRST, SECOND, broken])).rejects.toThrow('division by zero')
    expect(await tables()).toEqual(['ships'])
    expect(await recorded()).toHaveLength(1)
  })

  it('has no ceiling on the time of a migration, whatever the role says, and tells how far it is', async () => {
    await client.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET statement_timeout = 100', current_database()); END $$`)
    const told: string[] = []
    const slow = migrationStep('Migration0001Slow', [
      `DO $$ BEGIN PERFORM pg_sleep(0.5); RAISE NOTICE 'half of it'; PERFORM pg_sleep(0.5); END $$`,
    ])
    await start('0.1.0', [slow], (line) => told.push(line))
    expect(told).toContain('Migration0001Slow: half of it')
    expect(told).toContainEqual(
      expect.stringMatching(/^Upgrading the database: Migration0001Slow \(1 of 1\), statement 1 of 1/),
    )
    expect(told.at(-1)).toMatch(/upgraded to Pharos 0\.1\.0/)
  })

  it('is prepared by one process at a time; whoever waits says for whom', async () => {
    const told: string[] = []
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const first = underMigrationLock(database.url, async () => {
      begun.resolve()
      await gate.promise
    })
    await begun.promise
    const second = start('0.1.0', [FIRST], (line) => told.push(line))
    await expect
      .poll(() => told)
      .toContainEqual(expect.stringMatching(/Another process prepares this database.*Waiting/))
    expect(await tables()).toEqual([])
    gate.resolve()
    await first
    expect(await second).toEqual([FIRST.name])
  })

  it('a comment and the indentation are no part of a checksum, everything else is', () => {
    const one = migrationStep('A', ['CREATE TABLE a (\n  -- why\n  b text\n)'])
    expect(migrationStep('A', ['CREATE TABLE a (\n    b text\n)']).checksum).toBe(one.checksum)
    expect(migrationStep('A', ['CREATE TABLE a (\n    c text\n)']).checksum).not.toBe(one.checksum)
    expect(new Set(MIGRATIONS.map(({ checksum }) => checksum)).size).toBe(MIGRATIONS.length)
  })
})
