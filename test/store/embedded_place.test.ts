// As root PostgreSQL runs as somebody else, who must reach programs and data wherever the checkout lies.
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { binariesIn, findBinaries } from '../../server/store/embedded/binaries.ts'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import {
  canEnter,
  runProgram,
  runsAsRoot,
  unprivilegedAccount,
} from '../../server/store/embedded/run_program.ts'
import {
  afterwards,
  holderProcess,
  noteIn,
  postmasterPid,
  query,
  startedFolder,
  temporaryFolder,
  undoAfterEach,
} from './embedded_support.ts'

undoAfterEach()

const nobody = { name: 'nobody', uid: 65534, gid: 65534 }

const start = async (path: string, wanted: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) => {
  const folder = await openDataFolder(path)
  afterwards(folder.release)
  const logged: string[] = []
  const postgres = await startEmbeddedPostgres({ folder, log: noteIn(logged), ...wanted })
  afterwards(postgres.stop)
  const end = async () => {
    await postgres.stop()
    await folder.release()
  }
  return { ...postgres, logged, end }
}

describe.skipIf(!runsAsRoot())('started by root', () => {
  it('keeps the database in the data folder, open to its account for passing through and to nobody else', async () => {
    const path = join(await temporaryFolder(), '.data')
    const postgres = await start(path)
    const account = await unprivilegedAccount()
    expect((await stat(`/proc/${await postmasterPid(path)}`)).uid).toBe(account.uid)

    const [folder, cluster] = [await stat(path), await lstat(join(path, 'postgres'))]
    expect([folder.uid, folder.gid, folder.mode & 0o777]).toEqual([0, account.gid, 0o710])
    expect([cluster.isDirectory(), cluster.uid, cluster.mode & 0o777]).toEqual([true, account.uid, 0o700])
    expect(await canEnter(nobody, path)).toBe(false)
    for (const reader of [nobody, account]) {
      expect((await runProgram('/bin/cat', [join(path, 'database_password')], { account: reader })).ok).toBe(
        false,
      )
      expect((await runProgram('/bin/ls', [path], { account: reader })).ok).toBe(false)
    }
    await postgres.end()
    await (await start(path)).end()
  })

  it('copies the programs and keeps the database elsewhere when the checkout lies below a closed folder', async () => {
    const closed = join(await temporaryFolder(), 'home')
    await mkdir(closed, { mode: 0o700 })
    const real = await findBinaries()
    const native = join(closed, 'native')
    await cp(real.native, native, { recursive: true, verbatimSymlinks: true })
    const elsewhere = join(await temporaryFolder(), 'lib/pharos')
    const wanted = { binaries: binariesIn(native, real), elsewhere }
    const path = join(closed, '.data')
    const entry = join(path, 'postgres')
    // A start that was killed while it prepared a database elsewhere.
    await mkdir(join(elsewhere, 'cluster-0123456789abcdef/base'), { recursive: true })
    await mkdir(path, { mode: 0o700 })
    await symlink(join(elsewhere, 'cluster-0123456789abcdef'), join(path, 'postgres.new.0123456789abcdef'))

    const first = await start(path, wanted)
    expect(first.logged).toEqual([
      expect.stringContaining('Copying PostgreSQL to '),
      expect.stringContaining(`the database will live in ${elsewhere}, linked from ${entry}`),
      expect.stringContaining('Preparing the database'),
    ])
    await query(first.url, `create table kept as select 'still here' as note`)
    const account = await unprivilegedAccount()
    const cluster = await realpath(entry)
    expect([(await stat(cluster)).uid, (await stat(cluster)).mode & 0o777]).toEqual([account.uid, 0o700])
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    const made = (await readdir(elsewhere)).sort()
    expect(made).toEqual([
      expect.stringMatching(/^cluster-[0-9a-f]{16}$/),
      `postgresql-${real.version}-${process.arch}`,
    ])
    expect(made).not.toContain('cluster-0123456789abcdef')
    for (const name of ['.', made[1] ?? '', join(made[1] ?? '', 'bin/postgres')]) {
      const { uid, mode } = await stat(join(elsewhere, name))
      expect([name, uid, mode & 0o777]).toEqual([name, 0, 0o755])
    }
    await first.end()

    const second = await start(path, wanted)
    expect(second.logged).toEqual([])
    expect(await query(second.url, 'select note from kept')).toEqual(['still here'])
    await second.end()

    // The link outlived what it points to (a container made anew): never answer with an empty database.
    await rm(await readlink(entry), { recursive: true })
    await expect(start(path, wanted)).rejects.toThrow('which is gone')
  })

  it('lets pass, and changes nothing else, in a data folder that serves a group already', async () => {
    const path = join(await temporaryFolder(), 'volume')
    await mkdir(path)
    await chown(path, 0, nobody.gid)
    await chmod(path, 0o2770)
    await start(path)
    const { gid, mode } = await stat(path)
    expect([gid, mode & 0o7777]).toEqual([nobody.gid, 0o2771])
  })

  it('runs a database made by an ordinary user as that user, who can go on with it', async () => {
    const home = join(await temporaryFolder(), 'home')
    await mkdir(home)
    await chown(home, nobody.uid, nobody.gid)
    await chmod(home, 0o700)
    const path = join(home, '.data')
    const user = await holderProcess(path, nobody)
    const { said, detail: url } = await user.ask('start')
    expect(said).toBe('started')
    expect((await stat(`/proc/${await postmasterPid(path)}`)).uid).toBe(nobody.uid)
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    await query(url, `create table kept as select 'still here' as note`)
    expect((await user.ask('stop')).said).toBe('stopped')

    const asRoot = await start(path)
    expect((await stat(`/proc/${await postmasterPid(path)}`)).uid).toBe(nobody.uid)
    await asRoot.end()

    const again = await user.ask('start')
    expect(again.said).toBe('started')
    expect(await query(again.detail, 'select note from kept')).toEqual(['still here'])
    // kill -9 as an ordinary user, too: the orphan is found and stopped.
    await user.kill('SIGKILL')
    const next = await holderProcess(path, nobody)
    expect(await query((await next.ask('start')).detail, 'select note from kept')).toEqual(['still here'])
    expect(next.logged).toEqual([expect.stringContaining('left behind')])
    expect((await next.ask('stop')).said).toBe('stopped')
  })

  it('tells an ordinary user whose database it is', async () => {
    const path = await startedFolder(join(await temporaryFolder(), '.data'))
    await chmod(path, 0o755)
    await chown(path, nobody.uid, nobody.gid)
    await rm(join(path, 'lock'), { recursive: true })
    const user = await holderProcess(path, nobody)
    const { said, detail } = await user.ask('start')
    expect([said, detail]).toEqual(['refused', expect.stringContaining('belongs to the account with uid')])
    expect(await readFile(join(path, 'postgres/PG_VERSION'), 'utf8')).toBe('18\n')
  })
})
