// The built command line while it runs: what it has printed so far, and signals to it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { eventually } from '../support/http.ts'
import { type Desk, surroundings } from './run_pharos.ts'

export interface RunningPharos {
  /** Whole lines of standard output so far. */
  readonly lines: () => string[]
  /** Standard error so far. */
  readonly noted: () => string
  /** Resolves with those lines that count, when there are so many. @throws when the command ends before */
  readonly linesOnce: (count: number, counts?: (line: string) => boolean) => Promise<string[]>
  /** Resolves when standard error has this in it. @throws when the command ends before */
  readonly notedOnce: (words: RegExp) => Promise<void>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Resolves with the exit code, or null after a signal. */
  readonly ended: Promise<number | null>
}

export function runningPharos(
  { folder }: Pick<Desk, 'folder'>,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): RunningPharos {
  const child = spawn(process.execPath, ['pharos.mjs', ...args], {
    cwd: folder,
    env: { ...surroundings(folder), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, noted, isOver] = ['', '', false]
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    noted += chunk.toString()
  })
  const ended = once(child, 'close').then(([code]: (number | null)[]) => {
    isOver = true
    return code ?? null
  })
  const lines = (): string[] => said.split('\n').slice(0, -1)
  const when = <T>(look: () => T | undefined): Promise<T> =>
    eventually(() => {
      const found = look()
      if (found === undefined && isOver) throw new Error(`It ended: ${said}${noted}`)
      return found
    }, 120_000)
  return {
    lines,
    noted: () => noted,
    linesOnce: (count, counts = () => true) =>
      when(() => {
        const counted = lines().filter(counts)
        return counted.length >= count ? counted : undefined
      }),
    notedOnce: async (words) => {
      await when(() => (words.test(noted) ? true : undefined))
    },
    kill: (signal) => void child.kill(signal),
    ended,
  }
}
