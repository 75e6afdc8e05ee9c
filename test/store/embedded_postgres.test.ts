// The embedded PostgreSQL keeps what was committed, whatever happened to the server that started it.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { isRunning } from '../../server/store/embedded/folder_lock.ts'
import { startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { runsAsRoot, unprivilegedAccount } from '../../server/store/embedded/run_program.ts'
import {
  afterwards,
  bystander,
  holderProcess,
  noteIn,
  postmasterPid,
  query,
  startedFolder,
  temporaryFolder,
  undoAfterEach,
} from './embedded_support.ts'

undoAfterEach()

const newFolder = async (): Promise<string> => join(await temporaryFolder(), '.data')

/** Of a database that was started before. */
const usedFolder = async (): Promise<string> => startedFolder(await newFolder())

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch((): string[] => [])

const start = async (path: string) => {
  const folder = await openDataFolder(path)
  afterwards(folder.release)
  const logged: string[] = []
  const postgres = await startEmbeddedPostgres({ folder, log: noteIn(logged) })
  afterwards(postgres.stop)
  const end = async () => {
    await postgres.stop()
    await folder.release()
  }
  return { ...postgres, folder, logged, end }
}

describe('embedded PostgreSQL', () => {
  it('is made at the first start and keeps its rows for the second', async () => {
    const path = await newFolder()
    const first = await start(path)
    expect(first.url).toMatch(/^postgresql:\/\/pharos:[\w-]{32}@127\.0\.0\.1:\d+\/pharos$/)
    expect(first.logged).toContain('Preparing the database (first start only) ...')
    await query(first.url, 'create table kept (note text)')
    await query(first.url, `insert into kept values ('still here')`)
    expect(
      await query(
        first.superuserUrl,
        `select name || '=' || setting from pg_settings where name in ('fsync', 'synchronous_commit', 'TimeZone',
          'server_encoding', 'listen_addresses', 'unix_socket_directories', 'password_encryption') order by name collate "C"`,
      ),
    ).toEqual([
      'TimeZone=UTC',
      'fsync=on',
      'listen_addresses=127.0.0.1',
      'password_encryption=scram-sha-256',
      'server_encoding=UTF8',
      'synchronous_commit=on',
      'unix_socket_directories=',
    ])
    await expect(query(first.url.replace(/:[\w-]{32}@/, ':wrong@'), 'select 1')).rejects.toThrow(
      'password authentication',
    )
    expect(
      new Set(await query(first.superuserUrl, 'select distinct auth_method from pg_hba_file_rules')),
    ).toEqual(new Set(['scram-sha-256']))
    await first.end()

    const second = await start(path)
    expect(second.logged).toEqual([])
    expect(await query(second.url, 'select note from kept')).toEqual(['still here'])
    expect((await readdir(path)).sort()).toEqual([
      'database_password',
      'lock',
      'postgres',
      'superuser_password',
    ])
  })

  it('stops although somebody is connected, and stopping again is no fault', async () => {
    const postgres = await start(await usedFolder())
    const idle = new Client({ connectionString: postgres.url })
    idle.on('error', () => undefined)
    await idle.connect()
    const begun = performance.now()
    await Promise.all([postgres.stop(), postgres.stop()])
    expect(performance.now() - begun).toBeLessThan(25_000)
    await postgres.stop()
    await expect(query(postgres.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  it.skipIf(process.platform !== 'linux')(
    'runs in a session of its own and knows none of our secrets',
    async () => {
      const path = await usedFolder()
      const holder = await holderProcess(path)
      expect((await holder.ask('start')).said).toBe('started')
      const pid = await postmasterPid(path)
      const [, group, session] =
        (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ').slice(1) ?? []
      expect([Number(group), Number(session)]).toEqual([pid, pid])
      expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('a-secret-of-ours')
      expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(
        (await readFile(join(path, 'database_password'), 'utf8')).trim(),
      )
      expect((await holder.ask('stop')).said).toBe('stopped')
    },
  )

  it('is started again on its old port when it ends without our doing, with every committed row', async () => {
    const path = await usedFolder()
    const postgres = await start(path)
    await query(postgres.url, 'create table kept as select 1 as note')
    const killed = await postmasterPid(path)
    process.kill(killed, 'SIGKILL')
    const notes = () => query(postgres.url, 'select note from kept').catch(() => [])
    await expect.poll(notes, { timeout: 60_000 }).toEqual(['1'])
    expect(await postmasterPid(path)).not.toBe(killed)
    expect(postgres.logged.join()).toContain('ended by itself (signal SIGKILL)')
    await expect.poll(postgres.trouble).toBe(undefined)
  })

  it('left behind by a killed server is stopped, and every committed row is there', async () => {
    const path = await usedFolder()
    const holder = await holderProcess(path)
    const { detail: url } = await holder.ask('start')
    await query(url, 'create table kept as select generate_series(1, 1000) as note')
    const orphan = await postmasterPid(path)
    await expect(openDataFolder(path)).rejects.toThrow(`process ${holder.pid} (http://localhost:4000, `)
    await holder.kill('SIGKILL')
    expect(await query(url, 'select count(*) from kept')).toEqual(['1000'])

    const postgres = await start(path)
    expect(postgres.logged).toEqual([expect.stringContaining(`(process ${orphan})`)])
    expect(await isRunning({ pid: orphan, started: null })).toBe(false)
    expect(await query(postgres.url, 'select count(*) from kept')).toEqual(['1000'])
  })

  it.each(['alive', 'zombie'] as const)(
    'starts although its pid file names a stranger of its account (%s)',
    async (kind) => {
      const path = await usedFolder()
      const first = await start(path)
      const file = join(path, 'postgres/postmaster.pid')
      const lines = (await readFile(file, 'utf8')).split('\n')
      await first.end()
      const stranger = await bystander(kind, runsAsRoot() ? await unprivilegedAccount() : undefined)
      await writeFile(file, [stranger, ...lines.slice(1)].join('\n'))
      await start(path)
      expect(await postmasterPid(path)).not.toBe(stranger)
    },
  )

  it('survives a server killed during the first preparation', async () => {
    let path = ''
    // PG_VERSION is written half-way through initdb.
    const halfMade = async () => {
      const draft = (await namesIn(path)).find((name) => name.startsWith('postgres.new.'))
      return draft !== undefined && (await namesIn(join(path, draft))).includes('PG_VERSION')
    }
    const made = async () => (await namesIn(path)).includes('postgres')
    // A machine that is late sees it only when it is whole. Then there is another one.
    do {
      path = await newFolder()
      const holder = await holderProcess(path)
      holder.send('start')
      await expect.poll(async () => (await halfMade()) || (await made()), { interval: 5 }).toBe(true)
      await holder.kill('SIGKILL')
    } while (await made())
    await mkdir(join(path, 'postgres.new.0123456789abcdef/base'), { recursive: true })
    await writeFile(join(path, 'postgres.new.0123456789abcdef.password'), 'secret')

    const postgres = await start(path)
    expect(await query(postgres.url, 'select 1')).toEqual(['1'])
    expect((await readdir(path)).sort()).toEqual([
      'database_password',
      'lock',
      'postgres',
      'superuser_password',
    ])
  })

  it('gives both of its roles the passwords of its data folder when those were lost', async () => {
    const path = await usedFolder()
    const first = await start(path)
    await query(first.url, 'create table kept as select 1 as note')
    await first.end()
    for (const name of ['database_password', 'superuser_password']) await rm(join(path, name))
    const second = await start(path)
    expect(second.logged).toContain('Giving the database the passwords of its data folder ...')
    expect(new URL(second.url).password).not.toBe(new URL(first.url).password)
    expect(await query(second.url, 'select note from kept')).toEqual(['1'])
  })

  it('serves under a role that owns its database, reads no file, runs no program and changes no setting', async () => {
    const { url } = await start(await usedFolder())
    expect(
      await query(
        url,
        `select (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls) from pg_roles where rolname = current_user and not exists
             (select from pg_auth_members where member = pg_roles.oid)`,
      ),
    ).toEqual(['false'])
    for (const forbidden of [
      `select pg_read_file('postgresql.conf')`,
      `create temp table stolen (line text); copy stolen from '/etc/passwd'`,
      `copy (select 1) to program 'true'`,
      `select lo_import('/etc/passwd')`,
      `select pg_ls_dir('.')`,
      `alter system set fsync = off`,
      'create role another superuser',
      'create database another',
      `select pg_backup_start('mine')`,
      'create extension adminpack',
    ])
      await expect(query(url, forbidden), forbidden).rejects.toThrow(/permission denied|not available/)
  })

  it('refuses the folder of another major version', async () => {
    const other = await usedFolder()
    await writeFile(join(other, 'postgres/PG_VERSION'), '17\n')
    await expect(start(other)).rejects.toThrow(
      'was made by PostgreSQL 17, and this Pharos brings PostgreSQL 18',
    )
  })
})
