// Output of a command: the answer on standard output, everything else on standard error, colours on a terminal only;
// and the complaint of a command that cannot continue.
import type { WriteStream } from 'node:tty'

/** 1: the answer is no. 2: the question could not be asked (unreadable input, wrong usage). */
export type ExitCode = 0 | 1 | 2

export class Complaint extends Error {
  override readonly name = 'Complaint'
  readonly exitCode: ExitCode
  readonly advice: string | undefined

  constructor(message: string, { advice, exitCode = 2 }: { advice?: string; exitCode?: ExitCode } = {}) {
    super(message)
    this.advice = advice
    this.exitCode = exitCode
  }
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The system's code of a failed file or network call, e.g. `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export interface Terminal {
  /** A line of the answer. */
  readonly say: (line: string) => void
  /** A line about the answer: advice, progress, complaints. */
  readonly note: (line: string) => void
  /** Rewrites one line in place. Undefined when standard error is not a terminal. */
  readonly progress: ((line: string) => void) | undefined
  readonly paint: Paint
}

export type Paint = Readonly<Record<'green' | 'red' | 'yellow' | 'dim' | 'bold', (text: string) => string>>

export const openTerminal = (out: WriteStream, err: WriteStream, env: NodeJS.ProcessEnv): Terminal => ({
  say: (line) => void out.write(`${line}\n`),
  note: (line) => void err.write(`${line}\n`),
  progress: err.isTTY ? (line) => void err.write(`\r\x1b[2K${line}`) : undefined,
  paint: wantsColour(out, env) ? coloured : plain,
})

/** NO_COLOR, set to any text, overrides everything else (no-color.org). */
const wantsColour = (out: WriteStream, env: NodeJS.ProcessEnv): boolean =>
  out.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'

const ansi =
  (code: number) =>
  (text: string): string =>
    `\x1b[${code}m${text}\x1b[0m`

const coloured: Paint = {
  green: ansi(32),
  red: ansi(31),
  yellow: ansi(33),
  dim: ansi(2),
  bold: ansi(1),
}

const same = (text: string): string => text

const plain: Paint = { green: same, red: same, yellow: same, dim: same, bold: same }

/**
 * Makes text from a file or a server safe to print. Control characters could move the cursor and overwrite
 * the verdict; marks that change the writing direction could reorder it.
 */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\u{fffd}')

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}]/gu
