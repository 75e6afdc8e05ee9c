// What a command prints: the answer on standard output, everything else on standard error, colours and progress on a
// terminal only; how it writes numbers, JSON and the texts of others; and the complaint of one that cannot continue.

/**
 * 1: the answer is no. 2: the question could not be asked (unreadable input, wrong usage). 3: not yet. 4: a credential
 * is needed first. 130: interrupted; what was written until then stays.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130

export class Complaint extends Error {
  override readonly name = 'Complaint'
  readonly exitCode: ExitCode
  readonly advice: string | undefined

  constructor(
    message: string,
    { advice, exitCode = 2 }: { advice?: string | undefined; exitCode?: ExitCode } = {},
  ) {
    super(message)
    this.advice = advice
    this.exitCode = exitCode
  }
}

/** For `catch`: an error of this kind becomes a value. Every other one is thrown again. */
export const caught =
  <Caught extends Error>(Kind: new (...words: never[]) => Caught) =>
  (error: unknown): Caught => {
    if (error instanceof Kind) return error
    throw error
  }

/** For what goes on with others after one that failed. */
export const asComplaint = caught(Complaint)

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The system's code of a failed file or network call, e.g. `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export type Terminal = Readonly<ReturnType<typeof openTerminal>>

export type Paint = Readonly<Record<'green' | 'red' | 'yellow' | 'dim' | 'bold', (text: string) => string>>

/** Standard output, or standard error. */
interface Stream {
  readonly isTTY?: boolean
  readonly write: (chunk: string | Uint8Array) => unknown
}

export function openTerminal(out: Stream, err: Stream, env: NodeJS.ProcessEnv) {
  let isProgressShown = false
  const showProgress = (line: string): void => {
    isProgressShown = line !== ''
    // The name of a file may be in it.
    err.write(`\r\x1b[2K${printable(line)}`)
  }
  /** Every other line begins where the line of progress stands. */
  const clear = (): void => {
    if (isProgressShown) showProgress('')
  }
  return {
    /** A line of the answer. */
    say: (line: string): void => {
      if (out.isTTY) clear()
      out.write(`${line}\n`)
    },
    /** The answer as bytes, for `-o -`. @throws Complaint where a person would see them and they are no text */
    write: (bytes: Uint8Array): void => {
      if (out.isTTY && !isShowable(bytes))
        throw new Complaint('It is no text, so it was not written to the terminal.', {
          advice: 'Name a file with -o, or send it to one: > FILE',
        })
      if (out.isTTY) clear()
      out.write(bytes)
    },
    /** A line about the answer: advice, progress, complaints. */
    note: (line: string): void => {
      clear()
      err.write(`${line}\n`)
    },
    /** Rewrites one line in place. Undefined when standard error is not a terminal. */
    progress: err.isTTY && env.TERM !== 'dumb' ? showProgress : undefined,
    paint: paintFor(out, env),
  }
}

/** For `-q`: only the exit code answers, and bytes that `-o -` asks for. */
export const quieted = (terminal: Terminal): Terminal => ({
  ...terminal,
  say: () => undefined,
  note: () => undefined,
  progress: undefined,
})

/** The answer as one JSON document, for `--json`. */
export const sayDocument = ({ say }: Pick<Terminal, 'say'>, document: object): void =>
  say(escaped(JSON.stringify(document, null, 2)))

/** One of many answers as a line of its own, for `--json` of what goes on and on. */
export const sayRow = ({ say }: Pick<Terminal, 'say'>, row: object): void => say(escaped(JSON.stringify(row)))

/**
 * What could steer a terminal or turn the direction of writing is escaped, which changes nothing for a program that reads
 * the JSON. The ends of its lines stay.
 */
export const escaped = (json: string): string =>
  json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

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

/** UTF-8 in which nothing but the ends of lines and tabs steers a terminal. */
function isShowable(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll(/[\t\r\n]/g, '')
    return printable(text) === text
  } catch {
    return false
  }
}

/**
 * Names of files and words of a service may be in it.
 * @param about the file that it is about, which stands in front of it unless it is named in it
 * @param help what to type where the complaint itself does not say that
 */
export function tellComplaint(
  { note }: Terminal,
  { message, advice, exitCode }: Complaint,
  { about, help }: { readonly about?: string; readonly help?: string } = {},
): void {
  const isNamed = about === undefined || message.startsWith(`${about} `) || message.endsWith(` ${about}.`)
  const named = isNamed ? message : `${about}: ${message}`
  note(printable(`pharos: ${named}`))
  const next = advice ?? (exitCode === 2 ? help : undefined)
  if (next !== undefined) note(printable(next))
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
