// Creates the database cluster at the first start, and checks at every start that it is one of ours.
import { chown, readFile, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../kernel/error_code.ts'
import { writeDurably } from './durable_file.ts'
import type { Place } from './place.ts'
import { putCluster, removeLeftovers } from './put_cluster.ts'
import { SUPERUSER } from './roles.ts'
import { runProgram } from './run_program.ts'

/** The real path of a complete cluster with our own major version. */
export const prepareCluster = async (
  place: Place,
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

const initialize = async ({ binaries, account }: Place, target: string, password: string): Promise<void> => {
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
