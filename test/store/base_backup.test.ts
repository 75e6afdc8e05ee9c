// A base backup of a running cluster holds everything that was committed before it ended, and disturbs nothing.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { replica } from '../../server/doctor/check_database.ts'
import { makeBaseBackup, segmentNames } from '../../server/store/embedded/base_backup.ts'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { openStandby } from '../support/standby.ts'
import { afterwards, query, startedFolder, temporaryFolder, undoAfterEach } from './embedded_support.ts'

undoAfterEach()

const primaryIn = async (path: string) => {
  const folder = await openDataFolder(await startedFolder(path))
  afterwards(folder.release)
  const postgres = await startEmbeddedPostgres({ folder, log: () => undefined, settings: { fsync: 'off' } })
  afterwards(postgres.stop)
  return { ...postgres, path }
}

it('made under writes becomes a standby that follows the primary, and takes writes once it is promoted', async () => {
  const room = await temporaryFolder()
  const primary = await primaryIn(join(room, 'primary'))
  await query(primary.url, 'create table kept (note integer)')
  let over = false
  let written = 0
  const writing = (async () => {
    while (!over) await query(primary.url, `insert into kept values (${++written})`)
  })()
  const standby = await openStandby({ primary, path: join(room, 'standby'), name: 'second' })
  afterwards(standby.stop)
  over = true
  await writing
  await expect.poll(() => query(standby.url, 'select count(*) from kept')).toEqual([String(written)])
  expect(await query(primary.superuserUrl, 'select application_name from pg_stat_replication')).toEqual([
    'second',
  ])
  expect(await query(primary.superuserUrl, 'select count(*) from pg_replication_slots')).toEqual(['0'])
  const look = (patienceMs: number) => replica(primary.url, standby.url, patienceMs)
  expect(await look(60_000)).toMatchObject({ state: 'ok' })
  await query(standby.superuserUrl, 'select pg_wal_replay_pause()')
  await query(primary.url, 'insert into kept values (0)')
  expect(await look(300)).toMatchObject({ state: 'warning', text: expect.stringMatching(/300 ms behind/) })
  await query(standby.superuserUrl, 'select pg_wal_replay_resume()')
  await primary.stop()
  await standby.promote()
  await query(standby.url, 'insert into kept values (0)')
  expect(await query(standby.url, 'select count(*) from kept')).toEqual([String(written + 2)])
})

it('tells how much there is to copy before it copies that, the log included', async () => {
  const room = await temporaryFolder()
  const { superuserUrl, cluster } = await primaryIn(join(room, 'primary'))
  const to = join(room, 'copy')
  await mkdir(to, { mode: 0o700 })
  let found = 0
  let copied = 0
  const ahead: number[] = []
  const { files } = await makeBaseBackup({
    superuserUrl,
    cluster,
    to,
    beforeEnd: async () => undefined,
    onFound: (bytes) => {
      found += bytes
    },
    onProgress: (bytes) => {
      copied += bytes
      ahead.push(found - copied)
    },
  })
  expect(Math.min(...ahead)).toBe(0)
  const log = files
    .filter(({ path }) => path.startsWith('pg_wal/'))
    .reduce((sum, { bytes }) => sum + bytes, 0)
  expect(log).toBeGreaterThan(0)
  expect(found).toBe(copied)
})

it('a base backup takes the segments of the log from its first position to its last one', () => {
  const names = (first: string, last: string) =>
    segmentNames({ first, last, timeline: '00000002', segmentBytes: 16n * 1024n * 1024n })
  expect(names('0/2000028', '0/3000000')).toEqual(['000000020000000000000002'])
  expect(names('0/2000028', '0/3000001')).toHaveLength(2)
  expect(names('1/FF000000', '2/1000100')).toEqual([
    '0000000200000001000000FF',
    '000000020000000200000000',
    '000000020000000200000001',
  ])
})
