// The examples that people copy, run as they are, and loudly left out where the machine has no such language.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { buildGo } from '../../support/go_program.ts'

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
  try {
    execFileSync(command, [word], { stdio: 'ignore' })
    return true
  } catch {
    console.warn(`LEFT OUT: ${example}, because there is no ${command}.`)
    return false
  }
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
async function commandOf(
  language: Language,
  file: string,
  folder: string,
): Promise<readonly [string, ...string[]]> {
  const path = join(EXAMPLES, file)
  if (language !== 'go') return [LANGUAGES[language][0], path]
  const built = join(folder, 'example')
  await buildGo(path, built)
  return [built]
}

interface Where {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/** @param args for the example */
export const start = async (
  language: Language,
  file: string,
  { args = [], ...where }: Where & { readonly args?: readonly string[] },
): Promise<Running> => startIn([...(await commandOf(language, file, where.folder)), ...args], where)

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
