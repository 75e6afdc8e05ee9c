// The built command line as a person at a terminal meets it, which util-linux's `script` makes, or else Python. Loudly left
// out where neither is there.
import { spawn, spawnSync } from 'node:child_process'
import type { Desk } from './run_pharos.ts'

interface Maker {
  readonly command: string
  /** Shows that it is there. */
  readonly probe: readonly string[]
  readonly words: RegExp
  readonly args: (order: string) => readonly string[]
}

const PTY =
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(["/bin/sh", "-c", sys.argv[1]])))'

const MAKERS: readonly Maker[] = [
  {
    command: 'script',
    probe: ['--version'],
    words: /util-linux/,
    args: (order) => ['-qec', order, '/dev/null'],
  },
  {
    command: 'python3',
    probe: ['-c', 'import os, pty; print(os.waitstatus_to_exitcode(0))'],
    words: /^0$/m,
    args: (order) => ['-c', PTY, order],
  },
]

const maker = MAKERS.find(({ command, probe, words }) => words.test(String(spawnSync(command, probe).stdout)))
if (maker === undefined)
  console.warn(
    'LEFT OUT: what a person sees at a terminal, because there is neither `script` of util-linux nor Python.',
  )

export const hasTerminals = maker !== undefined

export interface Screen {
  readonly code: number | null
  /** All that was sent to the terminal. */
  readonly shown: string
}

interface How {
  readonly env?: Readonly<Record<string, string>>
  /** What is typed when something is shown. */
  readonly typed?: { readonly when: string; readonly text: string }
  /** Gets all that was shown so far, whenever there is more. */
  readonly heard?: (shown: string) => void
}

/** @param words for a shell. What is in front of `pharos` may bring its standard input. */
export const atTerminal = (
  { folder }: Desk,
  words: string,
  { env = {}, typed, heard = () => undefined }: How = {},
): Promise<Screen> =>
  new Promise((resolve, reject) => {
    if (maker === undefined) throw new Error('There is no terminal.')
    const order = words.replace(/(?<=^|\| )pharos /, `'${process.execPath}' pharos.mjs `)
    const child = spawn(maker.command, maker.args(order), {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder, SHELL: '/bin/sh', TERM: 'xterm', ...env },
    })
    let shown = ''
    let isTyped = false
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString()
      heard(shown)
      if (typed === undefined || isTyped || !shown.includes(typed.when)) return
      isTyped = true
      child.stdin.write(typed.text)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, shown }))
  })

/** Begins a line again. */
const AGAIN = '\r\x1b[2K'

/** Every text that stood in a line that was written again. */
export const rewritten = (shown: string): readonly string[] =>
  shown
    .split('\n')
    .flatMap((line) => line.split(AGAIN).slice(1, -1))
    .filter((text) => text !== '')

/** What stands there in the end. */
export const standing = (shown: string): string =>
  shown
    .split(/\r*\n/)
    .map((line) => line.split(AGAIN).at(-1))
    .join('\n')
