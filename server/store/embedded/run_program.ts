// Runs a short program to its end, optionally as another account. PostgreSQL refuses to run as root: the account that
// runs it is chosen here, and which folders that account can enter.
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'

export const logTail = (ceiling = 64 * 1024) => {
  let kept = ''
  return {
    add: (chunk: string): void => {
      kept = (kept + chunk).slice(-ceiling)
    },
    text: () => kept,
    /** The last lines, for the end of an error message. */
    lastLines: (count = 20) => kept.trimEnd().split('\n').slice(-count).join('\n'),
  }
}

export interface SystemUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

interface Outcome {
  readonly ok: boolean
  /** The last 64 KiB of stdout and stderr together. */
  readonly output: string
  /** How it ended: `exit code 1`, `signal SIGKILL`, `spawn initdb EACCES`. */
  readonly how: string
}

export const runProgram = (
  file: string,
  args: readonly string[],
  {
    account,
    timeoutMs = 30_000,
    input,
  }: { account?: SystemUser | undefined; timeoutMs?: number; input?: string } = {},
): Promise<Outcome> =>
  new Promise<Outcome>((settle) => {
    const words = logTail()
    const child = spawn(file, args, {
      ...childSurroundings(file, account),
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => words.add(chunk))
    }
    // A program that ended without reading is reported by its exit code.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    child.on('error', (error) => settle({ ok: false, output: words.text(), how: error.message }))
    child.on('close', (code, signal) =>
      settle({
        ok: code === 0,
        output: words.text(),
        how: signal ? `signal ${signal}` : `exit code ${code}`,
      }),
    )
  }).catch((error: unknown) => {
    // spawn emits some errors (ENOENT, EACCES) and throws others (EPERM, EINVAL for an account that we may not use).
    if (error instanceof Error && 'syscall' in error) return { ok: false, output: '', how: error.message }
    throw error
  })

/**
 * Options for every child: none of our environment, which holds secrets; messages in English; and a working folder
 * that it can enter (ours may be below a 0700 folder).
 */
export const childSurroundings = (file: string, account: SystemUser | undefined) => ({
  cwd: dirname(file),
  env:
    process.platform === 'win32'
      ? { LC_ALL: 'C', PATH: process.env.PATH, SystemRoot: process.env.SystemRoot }
      : { LC_ALL: 'C', PATH: '/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin' },
  windowsHide: true,
  ...(account && { uid: account.uid, gid: account.gid }),
})

export const runsAsRoot = (): boolean => process.getuid?.() === 0

/** The account that root starts PostgreSQL as. */
export const unprivilegedAccount = async (): Promise<SystemUser> => {
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
export const checkCanBecome = async (account: SystemUser): Promise<void> => {
  const { ok, how } = await runProgram('/bin/sh', ['-c', ':'], { account })
  if (ok) return
  throw new Error(
    `PostgreSQL may not run as root, and this process may not become the account ${account.name} (${how}). ` +
      `Start Pharos as an ordinary user, or ${otherDatabase}.`,
  )
}

/** Tests by trying, so that modes, ACLs and mount options of every folder on the way count. */
export const canEnter = async (account: SystemUser, folder: string): Promise<boolean> =>
  (await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { account })).ok

export const otherDatabase = 'set DATABASE_URL to a PostgreSQL 15 or later'

/** Uses `id`, which also finds accounts that are not in /etc/passwd. */
const find = async (name: string): Promise<SystemUser | undefined> => {
  const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)])
  return uid === undefined || gid === undefined || uid === 0 ? undefined : { name, uid, gid }
}

const idOf = async (flag: '-u' | '-g', name: string): Promise<number | undefined> => {
  const { ok, output } = await runProgram('/usr/bin/id', [flag, name])
  return ok && /^\d+\s*$/.test(output) ? Number(output) : undefined
}

/** A name of our own, because a PostgreSQL package installed later would take over an account called `postgres`. */
const make = async (name: string): Promise<SystemUser | undefined> => {
  const isNoPerson = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin']
  await runProgram('/usr/sbin/useradd', [...isNoPerson, name])
  // Looked up even when useradd failed, because another start may have made the account meanwhile.
  return find(name)
}
