// What a command prints: the answer on standard output, everything else on standard error, colours on a terminal only;
// how it writes numbers, progress and the texts of others; and the complaint of one that cannot continue.
import type { WriteStream } from 'node:tty'

/**
 * 1: the answer is no. 2: the question could not be asked (unreadable input, wrong usage). 3: not yet. 4: a credential
 * is needed first.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4

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
  paint: paintFor(out, env),
})

/** NO_COLOR, set to any text, overrides everything else (no-color.org). */
export const paintFor = ({ isTTY }: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint =>
  isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb' ? coloured : plain

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
 * Makes text of others safe to print as a part of a line. What ends a line or steers the terminal could overwrite the
 * verdict; what has no width or changes the writing direction could hide or reorder it.
 */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\u{fffd}')

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Names of files and words of a service may be in it. */
export function tellComplaint({ note }: Terminal, { message, advice }: Complaint, about = ''): void {
  note(printable(`pharos: ${about}${message}`))
  if (advice !== undefined) note(printable(advice))
}

/** Such as 1 block, 2 blocks. */
export const plural = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/**
 * Tells at most one line in `everyMs`, and none before `firstMs`. A line that is not told is not made.
 * @param tell undefined where nobody looks
 */
export function paced(
  tell: ((line: string) => void) | undefined,
  {
    everyMs,
    firstMs = everyMs,
    now = () => performance.now(),
  }: { readonly everyMs: number; readonly firstMs?: number; readonly now?: () => number },
): (line: () => string) => void {
  let next = now() + firstMs
  return (line) => {
    if (tell === undefined || now() < next) return
    next = now() + everyMs
    tell(line())
  }
}
