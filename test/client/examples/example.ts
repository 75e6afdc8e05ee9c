// The examples that people copy, run as they are, and loudly left out where the machine has no such language.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'

export const EXAMPLES = resolve(import.meta.dirname, '..', '..', '..', 'server', 'client', 'examples')

/** What runs a language, and the words that show that it is there. */
const LANGUAGES = {
  node: [process.execPath, '--version'],
  python: ['python3', '--version'],
  go: ['go', 'version'],
  git: ['git', '--version'],
} as const

export type Language = Exclude<keyof typeof LANGUAGES, 'git'>

/** Says loudly what the suite does not run here. */
export function isHere(language: keyof typeof LANGUAGES, example: string): boolean {
  const [command, word] = LANGUAGES[language]
  // On a machine that never built Go's own HTTP, that takes more than a minute of all its cores.
  const isWanted = language !== 'go' || process.env.TEST_GO === '1'
  try {
    execFileSync(command, [word], { stdio: 'ignore' })
    if (isWanted) return true
    console.warn(`LEFT OUT: ${example}, which is run with TEST_GO=1.`)
  } catch {
    console.warn(`LEFT OUT: ${example}, because there is no ${command}.`)
  }
  return false
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly child: ChildProcess
  /** What it has written to standard output so far. */
  readonly said: () => string
  readonly ended: Promise<Ended>
}

/** How a program is started. Go is built first: a signal to `go run` does not reach what it runs. */
function commandOf(language: Language, file: string, folder: string): readonly [string, ...string[]] {
  const path = join(EXAMPLES, file)
  if (language !== 'go') return [LANGUAGES[language][0], path]
  const built = join(folder, 'example')
  const env = { ...process.env, GOPROXY: 'off' }
  execFileSync('go', ['vet', path], { env })
  execFileSync('go', ['build', '-o', built, path], { env })
  return [built]
}

interface Where {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/** @param args for the example */
export const start = (
  language: Language,
  file: string,
  { args = [], ...where }: Where & { readonly args?: readonly string[] },
): Running => startIn([...commandOf(language, file, where.folder), ...args], where)

export const runIn = (command: readonly [string, ...string[]], where: Where): Promise<Ended> =>
  startIn(command, where).ended

function startIn([name, ...args]: readonly [string, ...string[]], { folder, env }: Where): Running {
  const child = spawn(name, args, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const said = () => Buffer.concat(out).toString()
  return {
    child,
    said,
    ended: once(child, 'close').then(([code]) => ({ code, out: said(), err: Buffer.concat(err).toString() })),
  }
}
