// The interface that every command offers to the table in main.ts.
import type { ParseArgsConfig } from 'node:util'
import type { ExitCode, Terminal } from './terminal.ts'

export interface Surroundings {
  readonly terminal: Terminal
  readonly env: NodeJS.ProcessEnv
  /** How the person started the program. Used in suggested command lines: `npx pharos`, `node pharos.mjs`. */
  readonly self: string
}

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

export interface ClientCommand {
  readonly usage: string
  readonly meaning: string
  /** The text of `--help` below the usage line. */
  readonly help: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  readonly run: (
    surroundings: Surroundings,
    values: Values,
    positionals: readonly string[],
  ) => Promise<ExitCode>
}

export const textOption = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

export const textOptions = (values: Values, name: string): string[] => {
  const value = values[name]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
