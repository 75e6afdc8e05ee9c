// Processes of a measure: the real server as `npm start` runs it, on the database of the run, and baselines.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import manifest from '../../package.json' with { type: 'json' }
import { LIMIT_SETTINGS } from '../../server/domain/limits/budgets.ts'
import { CEILINGS } from '../../server/kernel/ceilings.ts'
import { SETTING_NAMES } from '../../server/settings/settings.ts'
import type { Ground } from './ground.ts'
import type { Started } from './started.ts'
import { within } from './within.ts'

/** The flags that `npm start` gives to Node. */
const FLAGS = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'))

const ROOT = join(import.meta.dirname, '..', '..')

/** A start may upgrade or repair first. */
const READY_MS = 60_000
/** After so many milliseconds a process that was asked to end is killed. */
const END_MS = 15_000

/** More than any measure opens. A server that may have more needs more open files, and without them allows fewer. */
const CONNECTIONS = '6000'

/**
 * Budgets that no measurement uses up, and as many connections of one address as a server has. Their cost is part of every
 * measurement, but they refuse nothing.
 */
export const NO_LIMITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...LIMIT_SETTINGS.keys()].map((name) => [name, '100000000'])),
  ...Object.fromEntries(
    (['connections', 'connections_per_address', 'sockets', 'sockets_per_address'] as const).map((name) => [
      CEILINGS[name].setting,
      CONNECTIONS,
    ]),
  ),
}

export interface ServerProcess {
  readonly base: string
  readonly pid: number
  /** For who needs its place before the measure is over. */
  readonly stop: () => Promise<void>
}

export function startServer(ground: Ground, settings: Record<string, string> = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...FLAGS, 'server/start.js', 'server/main.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      // The person who runs the bench may have settings for another server, in `.env` too. A blank one counts as not set.
      ...Object.fromEntries(SETTING_NAMES.map((name) => [name, ''])),
      NODE_ENV: 'production',
      DATABASE_URL: ground.url,
      DATA_DIR: ground.dataDir,
      MASTER_KEY: ground.masterKeyHex,
      PORT: '0',
      HOST: '127.0.0.1',
      BLOCK_INTERVAL: '1h',
      LOG_ORIGIN: 'localhost/log',
      ENTROPY_SOURCES: 'none',
      LOG_LEVEL: 'warn',
      STOP_DELAY: '0s',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  return readyProcess(ground.started, 'The server', { child, ready: /answers at (\S+)/ })
}

/** Starts a script of this folder. The script must print `listening <base>` when it is ready. */
export function startBaseline(
  { started }: Pick<Ground, 'started'>,
  script: string,
  args: readonly string[] = [],
  input = '',
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    cwd: ROOT,
    stdio: ['pipe', 'inherit', 'pipe'],
  })
  // One that ends without reading it is told of as not ready.
  child.stdin.on('error', () => undefined).end(input)
  return readyProcess(started, script, { child, ready: /listening (\S+)/ })
}

/** @throws when the process ends before it is ready, or is not ready in time */
export async function readyProcess(
  started: Started,
  what: string,
  {
    child,
    ready,
    withinMs = READY_MS,
  }: { readonly child: ChildProcess; readonly ready: RegExp; readonly withinMs?: number },
): Promise<ServerProcess> {
  const stop = endWith(started, what, child)
  const base = await within(withinMs, `${what} was not ready: that`, firstMatch(child, ready))
  return { base, pid: child.pid ?? 0, stop }
}

/** What it says before is shown, because it may be why it is never ready. */
async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  await once(child, 'spawn')
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

/** At the latest it ends with this process, also when that ends by an error that nobody caught. @returns what ends it */
export function endWith(started: Started, what: string, child: ChildProcess): () => Promise<void> {
  const lastResort = () => child.kill('SIGKILL')
  process.once('exit', lastResort)
  child.once('exit', () => process.off('exit', lastResort))
  const end = () => endProcess(child)
  started.add(what, end)
  return end
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const killing = setTimeout(() => child.kill('SIGKILL'), END_MS)
  await ended.finally(() => clearTimeout(killing))
}
