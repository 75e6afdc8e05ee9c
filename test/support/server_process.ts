// The real server, or an operator command, as a child process: its output, its readiness, its end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

export interface ServerProcess {
  /** The output so far, of both streams. */
  readonly said: () => string
  /**
   * Resolves with the origin when it answers.
   * @throws when the process ends before
   */
  readonly ready: Promise<string>
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  readonly kill: (signal: NodeJS.Signals) => void
}

/** Asks no outside service, commits to no chain, and uses any free port. */
export const QUIET = {
  PORT: '0',
  HOST: '127.0.0.1',
  ENTROPY_SOURCES: 'none',
  PUBLIC_CHAINS: 'none',
  STOP_DELAY: '0s',
}

/**
 * The databases of all tests come from one template and have the key of its public log. So servers of two tests must not
 * share a data folder: what one of them has signed would be missing from the ledger of the other.
 */
type Settings = Readonly<Record<string, string>> & { readonly DATA_DIR: string }

export const spawnServer = (settings: Settings): ServerProcess => watch(start(programOf('main'), settings))

/** A server that may have so many files open. */
export const spawnWithOpenFiles = (openFiles: number, settings: Settings): ServerProcess => {
  const within = ['-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, process.execPath]
  return watch(start([...within, ...programOf('main')], settings, { program: 'sh' }))
}

/** `npm run pharos -- …` under way. */
export const commandProcess = (words: readonly string[], settings: Settings): Omit<ServerProcess, 'ready'> =>
  watch(start(commandOf(words), settings))

const commandOf = (words: readonly string[]): string[] => [...programOf('cli'), ...words]

/** The arguments of Node: the file that was made for the tests of this run, or the sources. */
function programOf(entry: 'main' | 'cli'): string[] {
  const built = join(process.env[BUILT_SERVER] ?? '', `${entry}.mjs`)
  return existsSync(built) ? [built] : ['server/start.js', `server/${entry}.ts`]
}

/** The variable of the environment that says where the files of `built_server.ts` are. */
export const BUILT_SERVER = 'BUILT_SERVER'

/** Runs `npm run pharos -- …` to its end. */
export async function runCommand(
  words: readonly string[],
  settings: Settings,
  input = '',
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = start(commandOf(words), settings, { stdin: 'pipe' })
  // It may end without reading.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const command = watch(child)
  const { code } = await command.ended
  return { code, said: command.said() }
}

/** A server keeps no compiled code by itself, and those of tests start often and live for seconds. */
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'compiled')

interface Started {
  readonly program?: string
  readonly stdin?: 'ignore' | 'pipe'
}

const start = (
  args: readonly string[],
  settings: Settings,
  { program = process.execPath, stdin = 'ignore' }: Started = {},
): ChildProcess =>
  spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE, ...QUIET, ...settings },
    stdio: [stdin, 'pipe', 'pipe'],
  })

function watch(child: ChildProcess): ServerProcess {
  let said = ''
  const ready = Promise.withResolvers<string>()
  ready.promise.catch(() => undefined)
  const listen = (text: Buffer): void => {
    said += text.toString()
    const [, base] = /answers at (\S+)/.exec(said) ?? []
    if (base !== undefined) ready.resolve(base)
  }
  child.stdout?.on('data', listen)
  child.stderr?.on('data', listen)
  // Not `exit`, because on `close` all output has been read.
  const ended = once(child, 'close').then(([code, signal]) => {
    ready.reject(new Error(`The server ended (${code ?? signal}):\n${said}`))
    return { code, signal }
  })
  return {
    said: () => said,
    ready: ready.promise,
    ended,
    kill: (signal) => void child.kill(signal),
  }
}
