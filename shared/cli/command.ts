// What a command is, whatever it works on: what it says of itself, how the help lists it, and how its words are read.
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { Complaint, type ExitCode, type Terminal, wordsOf } from './terminal.ts'

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

export interface CommandText {
  readonly usage: string
  readonly meaning: string
  readonly options: NonNullable<ParseArgsConfig['options']>
}

/** A command that works with what `Ground` holds. */
export interface CommandOn<Ground, Code extends number = number> extends CommandText {
  /** Returns the exit code. */
  readonly run: (ground: Ground, values: Values, words: readonly string[]) => Promise<Code>
}

/** What a command has to work with that needs no installation. */
export interface Surroundings {
  readonly terminal: Terminal
  readonly env: NodeJS.ProcessEnv
  /** How the person started the program. Used in suggested command lines: `npx --no pharos`, `node pharos.mjs`. */
  readonly self: string
}

export interface ClientCommand extends CommandOn<Surroundings, ExitCode> {
  /** The text of `--help` below the usage line. */
  readonly help: string
}

/** Each command with its usage, and below it what it is for. */
export const helpLines = (commands: Readonly<Record<string, CommandText>>): string[] =>
  Object.entries(commands).map(
    ([name, { usage, meaning }]) => `  ${`${name} ${usage}`.trim()}\n      ${meaning}`,
  )

/**
 * What follows the name of a command, with `help` among its options.
 * @param called the command as a person calls it
 * @throws Complaint for an option that it does not take
 */
export function readWords(
  called: string,
  { options }: Pick<CommandText, 'options'>,
  args: readonly string[],
): { readonly values: Values; readonly words: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
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

export const textOptions = (values: Values, name: string): string[] => {
  const value = values[name]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
