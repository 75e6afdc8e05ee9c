// What an operator command is, how it reads its options, and how it answers.
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { SignedMemory } from '../domain/log/signed_memory.ts'
import type { Witnessing } from '../domain/log/witnessing.ts'
import type { Log } from '../kernel/log.ts'
import { plainLine } from '../kernel/plain_line.ts'
import { refuse } from '../kernel/refusal.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import type { Store } from '../store/open_store.ts'

export type Options = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

interface Tools {
  readonly store: Store
  readonly masterKey: MasterKey
  /** One line for what others should be able to look up later. */
  readonly log: Log
  /** What servers with this data folder have seen signed. */
  readonly signedMemory?: SignedMemory | undefined
  /** The policy about the public log. Undefined when no witness is asked. */
  readonly witnessing?: Witnessing | undefined
  /** The public origin of the servers, for links. */
  readonly base: string
  /** Replaces the master key where the data folder keeps it, and reseals everything that it seals. */
  readonly changeMasterKey?: <T>(to: Uint8Array, rewrap: () => Promise<T>) => Promise<T>
}

interface Described {
  readonly usage: string
  readonly meaning: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** How many words it takes beside its options. None when absent. */
  readonly words?: number
  /** Never creates a ledger, because a mistyped place must not look like a sound ledger. */
  readonly existing?: true
}

/** Works within the ledger, which is brought up to date first. Returns the exit code. */
export interface LedgerCommand extends Described {
  /**
   * A master key that the options name. It is taken where it is the one in force, because an earlier run was killed after
   * it had put it there. @throws a Refusal when the options are wrong
   */
  readonly otherKey?: (options: Options) => MasterKey
  readonly run: (tools: Tools, options: Options, rest: readonly string[]) => Promise<number>
}

/** Works on the installation: nothing is opened, made or upgraded before. Returns the exit code. */
export interface InstallationCommand extends Described {
  readonly runOn: (installation: Installation, options: Options, rest: readonly string[]) => Promise<number>
}

export type Command = LedgerCommand | InstallationCommand

export interface Installation {
  /** Of this Pharos. */
  readonly version: string
  readonly dataDir: string
  /** DATABASE_URL is set: the database is not ours. */
  readonly databaseIsNamed: boolean
  /** MASTER_KEY, when it is set. */
  readonly masterKey: Buffer | undefined
  /** Writes a line for a person to standard error. */
  readonly tell: (line: string) => void
  /** The running database, or one that is started for the command. */
  readonly reach: () => Promise<ReachedDatabase>
  /** Does what a server does before it listens: upgrades the schema, tries the master key, verifies the head. */
  readonly prepare: (database: { readonly url: string; readonly masterKey: MasterKey }) => Promise<void>
}

export interface ReachedDatabase {
  readonly url: string
  readonly masterKey: MasterKey
  /** Absent for a database that is not ours. */
  readonly embedded?: { readonly superuserUrl: string; readonly cluster: string }
  readonly close: () => Promise<void>
}

/** The commands of one noun, by their words. */
export type Commands<Kind extends Command = LedgerCommand> = Readonly<Record<string, Kind>>

/**
 * What follows the name of a command. A word that nothing reads is a mistake, and must not look like an order that was
 * carried out. @throws invalid_argument
 */
export function readWords(
  { options, words = 0 }: Pick<Described, 'options' | 'words'>,
  args: readonly string[],
): { readonly values: Options; readonly rest: readonly string[] } {
  const wrong = (detail: string) => refuse('invalid_argument', { detail: `${detail}; try --help` })
  const read = () => {
    try {
      return parseArgs({
        args: [...args],
        options: { ...options, help: { type: 'boolean' } },
        allowPositionals: true,
      })
    } catch (error) {
      throw error instanceof TypeError ? wrong(error.message.split('. ')[0] ?? '') : error
    }
  }
  const { values, positionals } = read()
  const [unread] = positionals.slice(words)
  if (unread !== undefined && values.help !== true) throw wrong(`${unread} is not expected here`)
  return { values, rest: positionals }
}

/**
 * Prints lines and returns the exit code of success. Texts that people chose may be part of a line, so characters that
 * end it, steer a terminal or hide what is written are shown as a mark.
 */
export const say = (...lines: readonly string[]): 0 => {
  for (const line of lines) process.stdout.write(`${plainLine(line)}\n`)
  return 0
}

export const givenText = (value: Options[string]): string | undefined =>
  typeof value === 'string' ? value : undefined

/** @throws required */
export const required = (value: Options[string], name: string): string => {
  const given = givenText(value)
  if (given === undefined || given === '') throw refuse('required', { detail: `--${name} is required` })
  return given
}
