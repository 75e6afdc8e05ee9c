// Creates the database cluster at the first start, complete by one rename, so that a killed start leaves only what
// the next one removes; and checks at every start that it is one of ours.
import { randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, readdir, readFile, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { hasCode } from '../../kernel/error_code.ts'
import { renameDurably, syncFolder, writeDurably } from './durable_file.ts'
import type { ClusterPlace } from './place.ts'
import { SUPERUSER } from './roles.ts'
import { runProgram } from './run_program.ts'

const draftName = 'postgres.new.'
/** The name of a folder elsewhere. Leftovers are deleted only by this pattern. */
const elsewhereName = /^cluster-[0-9a-f]{16}$/

/**
 * Puts a new cluster into a data folder. `<data>/postgres` appears by one rename when it is complete. Before that it
 * is `<data>/postgres.new.<id>`: the folder itself, or a link to it when it is elsewhere. A killed start leaves it
 * behind, and the next start removes it and what it points to. The id is new each time, because an orphaned initdb
 * may still write to the old one.
 * @param fill makes the cluster in an empty folder of mode 0700 that belongs to the account of the place
 */
export const putCluster = async (
  { account, entry, room }: ClusterPlace,
  fill: (target: string) => Promise<void>,
): Promise<void> => {
  const id = newId()
  const data = dirname(entry)
  const draft = join(data, `${draftName}${id}`)
  const target = room === data ? draft : join(room, `cluster-${id}`)
  try {
    // The link is made first, so that everything made elsewhere can be found again.
    if (target !== draft) await symlink(target, draft)
    await mkdir(target, { mode: 0o700 })
    if (account) await chown(target, account.uid, account.gid)
    await fill(target)
    if (target !== draft) await syncFolder(room)
    // Commit point: before it there is no database, after it there is one.
    await renameDurably(draft, entry)
  } catch (error) {
    // The next start removes what cannot be removed now. The first error is the one to report.
    await removeLeftovers(data).catch(() => undefined)
    throw error
  }
}

/** A name that makes a cluster, or a link to one, a leftover. */
export const leftoverName = (data: string): string => join(data, `${draftName}${newId()}`)

const newId = (): string => randomBytes(8).toString('hex')

export const removeLeftovers = async (data: string): Promise<void> => {
  for (const name of await readdir(data)) {
    if (!name.startsWith(draftName)) continue
    const path = join(data, name)
    if ((await lstat(path)).isSymbolicLink()) {
      const target = await readlink(path)
      if (elsewhereName.test(basename(target))) {
        await rm(`${target}.password`, { force: true })
        await removeFolder(target)
      }
      await rm(path)
    } else {
      await removeFolder(path)
    }
  }
}

/** Retries, because an initdb whose start was killed may still add files there. */
const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })

/** The real path of a complete cluster with our own major version. */
export const prepareCluster = async (
  place: ClusterPlace,
  password: string,
  log: (line: string) => void,
): Promise<string> => {
  await removeLeftovers(dirname(place.entry))
  if (place.isNew) {
    log('Preparing the database (first start only) ...')
    await putCluster(place, (target) => initialize(place, target, password))
  }
  const cluster = await realpath(place.entry)
  await checkVersion(cluster, place.major)
  return cluster
}

const initialize = async (
  { binaries, account }: ClusterPlace,
  target: string,
  password: string,
): Promise<void> => {
  const passwordFile = `${target}.password`
  await writeDurably(passwordFile, `${password}\n`, 0o600)
  if (account) await chown(passwordFile, account.uid, account.gid)
  const { ok, how, output } = await runProgram(
    binaries.initdb,
    [
      ...['-D', target, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', '--no-instructions'],
    ],
    { account, timeoutMs: 300_000 },
  )
  if (!ok) throw new Error(`Preparing the database in ${target} failed (${how}):\n${output.trimEnd()}`)
  await rm(passwordFile)
}

const checkVersion = async (cluster: string, ours: number): Promise<void> => {
  const theirs = await readVersion(cluster)
  if (theirs === String(ours)) return
  if (theirs === undefined)
    throw new Error(
      `${cluster} is not a PostgreSQL database (it has no PG_VERSION). Restore it, or set DATA_DIR to another folder.`,
    )
  throw new Error(
    `The database in ${cluster} was made by PostgreSQL ${theirs}, and this Pharos brings PostgreSQL ${ours}, which cannot ` +
      `read it. Export it with PostgreSQL ${theirs} (pg_dump) and import it into a new one, or set DATA_DIR to another folder.`,
  )
}

const readVersion = async (cluster: string): Promise<string | undefined> => {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
