// PostgreSQL refuses to run as root. Which account runs it then, and which folders that account can enter.
import { type Account, runProgram } from './run_program.ts'

export const isRoot = (): boolean => process.getuid?.() === 0

/** Nothing when we are not root: then PostgreSQL simply runs as us. */
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

/** In a container without the right capabilities root may not become anybody else: say that, not "cannot enter". */
export const checkCanBecome = async (account: Account): Promise<void> => {
  const { ok, how } = await runProgram('/bin/sh', ['-c', ':'], { account })
  if (ok) return
  throw new Error(
    `PostgreSQL may not run as root, and this process may not become the account ${account.name} (${how}). ` +
      `Start Pharos as an ordinary user, or ${otherDatabase}.`,
  )
}

/** Asks the kernel by trying: modes, ACLs and mount options of every folder on the way count. */
export const canEnter = async (account: Account, folder: string): Promise<boolean> =>
  (await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { account })).ok

export const otherDatabase = 'set DATABASE_URL to a PostgreSQL 15 or later'

/** By `id`, which also knows accounts that are not in /etc/passwd. */
const find = async (name: string): Promise<Account | undefined> => {
  const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)])
  return uid === undefined || gid === undefined || uid === 0 ? undefined : { name, uid, gid }
}

const idOf = async (flag: '-u' | '-g', name: string): Promise<number | undefined> => {
  const { ok, output } = await runProgram('/usr/bin/id', [flag, name])
  return ok && /^\d+\s*$/.test(output) ? Number(output) : undefined
}

/** Our own name: an account called `postgres` would be taken over by a PostgreSQL package installed later. */
const make = async (name: string): Promise<Account | undefined> => {
  await runProgram('/usr/sbin/useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    name,
  ])
  // Also when useradd failed: another starter may have been faster.
  return find(name)
}
