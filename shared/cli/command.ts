// What a command is, whatever it works on: what it says of itself, the options it takes, and how its words are read.
import { parseArgs } from 'node:util'
import { Complaint, type ExitCode, type Terminal, wordsOf } from './terminal.ts'

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

/** Read by `parseArgs`, shown by `--help` and offered by completion. */
export interface OptionText {
  readonly short?: string
  readonly multiple?: boolean
  /**
   * What follows it, as help shows it: `<file>`, `<folder>`, `json|cbor`. Completion reads these three forms. Undefined
   * where nothing does.
   */
  readonly takes?: string
  /** Begins in lower case and ends without a stop. Without it the option is not listed: `help` tells of it. */
  readonly meaning?: string
}

export type Options = Readonly<Record<string, OptionText>>

export interface CommandText {
  /** What follows its name. A choice of words, such as `[beacons|blocks]`, is offered by completion. */
  readonly usage: string
  readonly meaning: string
  /** Paragraphs of `--help`, above the options. */
  readonly help?: string
  readonly options: Options
  /** When it ends with which code, for each code that it has beside 2 and 130. */
  readonly exits?: Partial<Readonly<Record<ExitCode, string>>>
}

/** A command that works with what `Ground` holds. */
export interface CommandOn<Ground> extends CommandText {
  /** Returns the exit code. */
  readonly run: (ground: Ground, values: Values, words: readonly string[]) => Promise<number>
}

/** What a command has to work with that needs no installation. */
export interface Surroundings {
  readonly terminal: Terminal
  readonly env: NodeJS.ProcessEnv
  /** Its options, as they were typed. */
  readonly values: Values
  /** How the person started the program. Used in suggested command lines: `npx --no pharos`, `node pharos.mjs`. */
  readonly self: string
}

export interface ClientCommand extends CommandText {
  readonly help: string
  readonly exits: NonNullable<CommandText['exits']>
  readonly run: (surroundings: Surroundings, words: readonly string[]) => Promise<ExitCode>
}

/**
 * What follows the name of a command.
 * @param called the command as a person calls it
 * @throws Complaint for an option that it does not take
 */
export function readWords(
  called: string,
  options: Options,
  args: readonly string[],
): { readonly values: Values; readonly words: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(
        Object.entries(options).map(([name, option]) => [
          name,
          { ...option, type: option.takes === undefined ? 'boolean' : 'string' } as const,
        ]),
      ),
      allowPositionals: true,
    })
    return { values, words: positionals }
  } catch (error) {
    // Node tells some mistakes in several lines.
    throw new Complaint(wordsOf(error).replaceAll('\n', ' '), {
      advice: `${called} --help shows the options.`,
    })
  }
}

export const textOption = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** Milliseconds of a time such as 90 (seconds), 20m or 2h. @throws Complaint for what is none */
export function timeOption(values: Values, name: string): number | undefined {
  const text = textOption(values, name)
  if (text === undefined) return undefined
  const [, number, unit = ''] = /^(\d{1,6})([smh]?)$/.exec(text) ?? []
  if (number === undefined) throw new Complaint(`--${name} is a time, such as 90 (seconds), 20m or 2h.`)
  return Number(number) * (unit === 'h' ? 3_600_000 : unit === 'm' ? 60_000 : 1_000)
}

export const textOptions = (values: Values, name: string): string[] => {
  const value = values[name]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
