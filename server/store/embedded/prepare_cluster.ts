// Creates the database cluster at the first start, complete by one rename, so that a killed start leaves only what
// the next one removes; and checks at every start that it is one of ours. It has two roles. The service works under one
// that owns its database and nothing else: it reads no file, runs no program and changes no setting of PostgreSQL. The
// superuser makes that role, and backups.
import { randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, readdir, readFile, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseError, escapeIdentifier, escapeLiteral } from 'pg'
import { whenMissing } from '../../kernel/error_code.ts'
import { withSession } from '../session.ts'
import { renameDurably, syncFolder, writeDurably } from './durable_file.ts'
import type { ClusterPlace } from './place.ts'
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

const readVersion = async (cluster: string): Promise<string | undefined> =>
  (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(whenMissing))?.trim()

export const SUPERUSER = 'postgres'
/** The role of the service, and the name of its database. */
export const OWNER = 'pharos'

export interface Passwords {
  readonly superuser: string
  readonly owner: string
}

interface Login {
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

export const loginUrl = ({ port, user, password, database }: Login): string =>
  `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`

/** The url of the superuser of the same cluster, e.g. `postgresql://postgres:…@127.0.0.1:5433/postgres`. */
export const superuserUrlOf = (url: string, password: string): string =>
  loginUrl({ port: Number(new URL(url).port), user: SUPERUSER, password, database: SUPERUSER })

export const isWrongPassword = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '28P01'

/**
 * Makes the service's role and its database, as far as they are missing, and gives the role its password. On a standby
 * it changes nothing, because everything comes from the primary.
 * @throws what the connection throws
 */
export async function prepareOwner(port: number, { superuser, owner }: Passwords): Promise<void> {
  const asSuperuser = loginUrl({ port, user: SUPERUSER, password: superuser, database: SUPERUSER })
  const standby = await withSession(asSuperuser, async (session) => {
    const { rows } = await session.query<{ standby: boolean; role: boolean; database: boolean }>(
      `SELECT pg_is_in_recovery() AS standby, EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role,
              EXISTS (SELECT FROM pg_database WHERE datname = $1) AS database`,
      [OWNER],
    )
    const [found] = rows
    if (found === undefined || found.standby) return true
    const name = escapeIdentifier(OWNER)
    if (!found.role) await session.query(`CREATE ROLE ${name} LOGIN PASSWORD ${escapeLiteral(owner)}`)
    if (!found.database) await session.query(`CREATE DATABASE ${name} OWNER ${name}`)
    return false
  })
  if (standby) return
  try {
    const asOwner = loginUrl({ port, user: OWNER, password: owner, database: OWNER })
    await withSession(asOwner, async () => undefined)
  } catch (error) {
    if (!isWrongPassword(error)) throw error
    await withSession(asSuperuser, (session) =>
      session.query(`ALTER ROLE ${escapeIdentifier(OWNER)} PASSWORD ${escapeLiteral(owner)}`),
    )
  }
}
