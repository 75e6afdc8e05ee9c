// The real server in a process of its own, as `npm start` runs it, on the database of the run.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import manifest from '../../package.json' with { type: 'json' }
import { SETTINGS } from '../../server/settings.ts'
import type { Ground } from './ground.ts'

/** The flags that `npm start` gives to Node. */
const FLAGS = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'))

const ROOT = join(import.meta.dirname, '..', '..')

/** Budgets that no measurement uses up. Their cost is part of every measurement, but they refuse nothing. */
export const NO_LIMITS = {
  LIMIT_CALLER_PER_MINUTE: '100000000',
  LIMIT_CALLER_WORK_PER_MINUTE: '100000000',
  LIMIT_ADDRESS_PER_MINUTE: '100000000',
} as const

export interface ServerProcess {
  readonly base: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

export async function startServer(
  ground: Ground,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...FLAGS, 'server/start.js', 'server/main.ts'], {
    cwd: ROOT,
    env: {
      ...inherited(),
      NODE_ENV: 'production',
      DATABASE_URL: ground.url,
      MASTER_KEY: ground.masterKeyHex,
      PORT: '0',
      HOST: '127.0.0.1',
      BLOCK_INTERVAL: '1h',
      ENTROPY_SOURCES: 'none',
      LOG_LEVEL: 'warn',
      STOP_DELAY: '0s',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const base = await firstMatch(child, /answers at (\S+)/)
  return { base, pid: child.pid ?? 0, stop: () => stopProcess(child) }
}

/** Starts a script of this folder. The script must print `listening <base>` when it is ready. */
export async function startBaseline(
  script: string,
  args: readonly string[] = [],
  input = '',
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    cwd: ROOT,
    stdio: ['pipe', 'inherit', 'pipe'],
  })
  child.stdin.end(input)
  const base = await firstMatch(child, /listening (\S+)/)
  return { base, pid: child.pid ?? 0, stop: () => stopProcess(child) }
}

/**
 * The environment without this service's settings, because the person who runs the bench may have settings
 * for another server.
 */
const inherited = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !Object.hasOwn(SETTINGS, name)))

async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  if (child.stderr === null) throw new Error('The process has no standard error.')
  for await (const line of createInterface({ input: child.stderr })) {
    const found = pattern.exec(line)?.[1]
    if (found !== undefined) {
      child.stderr.resume()
      return found
    }
    process.stderr.write(`    ${line}\n`)
  }
  throw new Error('The process ended before it was ready.')
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
