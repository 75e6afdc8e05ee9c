// Runs a short program to its end, optionally as another account, and returns its output and exit.
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'

export interface LogTail {
  readonly add: (chunk: string) => void
  readonly text: () => string
  /** The last lines, for the end of an error message. */
  readonly lastLines: (count?: number) => string
}

export const logTail = (ceiling = 64 * 1024): LogTail => {
  let kept = ''
  return {
    add: (chunk) => {
      kept = (kept + chunk).slice(-ceiling)
    },
    text: () => kept,
    lastLines: (count = 20) => kept.trimEnd().split('\n').slice(-count).join('\n'),
  }
}

export interface Account {
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
  }: { account?: Account | undefined; timeoutMs?: number; input?: string } = {},
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
export const childSurroundings = (file: string, account: Account | undefined) => ({
  cwd: dirname(file),
  env:
    process.platform === 'win32'
      ? { LC_ALL: 'C', PATH: process.env.PATH, SystemRoot: process.env.SystemRoot }
      : { LC_ALL: 'C', PATH: '/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin' },
  windowsHide: true,
  ...(account && { uid: account.uid, gid: account.gid }),
})
