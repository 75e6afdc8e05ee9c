// Where a command speaks: standard output for the answer, standard error for everything about it, and colours where eyes are.
import type { WriteStream } from 'node:tty'

export interface Terminal {
  /** A line of the answer. */
  readonly say: (line: string) => void
  /** A line about the answer: advice, progress, complaints. */
  readonly note: (line: string) => void
  /** Rewrites one line in place; only where standard error is a terminal. */
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

/** NO_COLOR, when set to anything, wins over everything (no-color.org). */
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
 * Text from a file or a server, safe to print: control characters in it could move the cursor and write over
 * the verdict, and marks that turn the writing direction could show it in another order.
 */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\u{fffd}')

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}]/gu
