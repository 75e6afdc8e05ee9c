// PostgreSQL refuses to run as root. Chooses the account that runs it, and tests which folders that account can
// enter.
import { type Account, runProgram } from './run_program.ts'

export const isRoot = (): boolean => process.getuid?.() === 0

/** Undefined when we are not root: PostgreSQL then runs as our own account. */
export const unprivilegedAccount = async (): Promise<Account | undefined> => {
  if (!isRoot()) return undefined
  const account =
    (await find('postgres')) ?? (await find('pharos')) ?? (await make('pharos')) ?? (await find('nobody'))
  if (account) return account
  throw new Error(
    'PostgreSQL may not run as root, and there is no other account for it (no postgres, no nobody, no useradd). ' +
      `Start Pharos as an ordinary user, or ${otherDatabase}.`,
  )
}

/**
 * Without the right capabilities, root in a container cannot switch accounts. Reports that instead of "cannot enter".
 */
export const checkCanBecome = async (account: Account): Promise<void> => {
  const { ok, how } = await runProgram('/bin/sh', ['-c', ':'], { account })
  if (ok) return
  throw new Error(
    `PostgreSQL may not run as root, and this process may not become the account ${account.name} (${how}). ` +
      `Start Pharos as an ordinary user, or ${otherDatabase}.`,
  )
}

/** Tests by trying, so that modes, ACLs and mount options of every folder on the way count. */
export const canEnter = async (account: Account, folder: string): Promise<boolean> =>
  (await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { account })).ok

export const otherDatabase = 'set DATABASE_URL to a PostgreSQL 15 or later'

/** Uses `id`, which also finds accounts that are not in /etc/passwd. */
const find = async (name: string): Promise<Account | undefined> => {
  const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)])
  return uid === undefined || gid === undefined || uid === 0 ? undefined : { name, uid, gid }
}

const idOf = async (flag: '-u' | '-g', name: string): Promise<number | undefined> => {
  const { ok, output } = await runProgram('/usr/bin/id', [flag, name])
  return ok && /^\d+\s*$/.test(output) ? Number(output) : undefined
}

/** A name of our own, because a PostgreSQL package installed later would take over an account called `postgres`. */
const make = async (name: string): Promise<Account | undefined> => {
  await runProgram('/usr/sbin/useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    name,
  ])
  // Looked up even when useradd failed, because another start may have made the account meanwhile.
  return find(name)
}
