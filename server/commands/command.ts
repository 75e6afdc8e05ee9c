// What an operator command is, how it answers, and the progress of one that takes long.
import { type CommandOn, type CommandText, textOption, type Values } from '../../shared/cli/command.ts'
import { Complaint, paced, printable } from '../../shared/cli/terminal.ts'
import type { SignedMemory } from '../domain/log/signed_memory.ts'
import type { Witnessing } from '../domain/log/witnesses.ts'
import type { Log } from '../kernel/log.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import type { OpenDatabase } from '../start/open_database.ts'
import type { Store } from '../store/open_store.ts'

interface Tools extends Pick<OpenDatabase, 'changeMasterKey'> {
  readonly store: Store
  readonly masterKey: MasterKey
  /** What `otherKey` of the command answers. */
  readonly otherKey?: Buffer | undefined
  /** One line for what others should be able to look up later. */
  readonly log: Log
  /** What servers with this data folder have seen signed. */
  readonly signedMemory?: SignedMemory | undefined
  /** The policy about the public log. Undefined when no witness is asked. */
  readonly witnessing?: Witnessing | undefined
  /** The public origin of the servers, for links. */
  readonly base: string
}

interface Ordered extends CommandText {
  /** How many words it takes beside its options. None when absent. */
  readonly words?: number
  /** Never creates a ledger, because a mistyped place must not look like a sound ledger. */
  readonly existing?: true
}

/** Works within the ledger, which is brought up to date first. */
export interface LedgerCommand extends Ordered, CommandOn<Tools> {
  /**
   * The 32 bytes of a master key that the options name. It is taken where it is the one in force, because an earlier run
   * was killed after it had put it there. @throws a Complaint when the options are wrong
   */
  readonly otherKey?: (values: Values) => Promise<Buffer>
}

/** Works on the installation: nothing is opened, made or upgraded before. Returns the exit code. */
export interface InstallationCommand extends Ordered {
  readonly runOn: (installation: Installation, values: Values, words: readonly string[]) => Promise<number>
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
  readonly reach: () => Promise<Pick<OpenDatabase, 'url' | 'masterKey' | 'embedded' | 'close'>>
  /** Does what a server does before it listens: upgrades the schema, tries the master key, verifies the head. */
  readonly prepare: (database: { readonly url: string; readonly masterKey: MasterKey }) => Promise<void>
}

/** The option of every command about one account. */
export const OF_ACCOUNT = {
  email: { takes: '<address>', meaning: 'of the account' },
} as const

/** The commands of one noun, by their words. */
export type Commands<Kind extends Command = LedgerCommand> = Readonly<Record<string, Kind>>

/** Prints lines and returns the exit code of success. Texts that people chose may be part of a line. */
export const say = (...lines: readonly string[]): 0 => {
  for (const line of lines) process.stdout.write(`${printable(line)}\n`)
  return 0
}

/** @throws Complaint */
export function required(values: Values, name: string): string {
  const given = textOption(values, name)
  if (given === undefined || given === '') throw new Complaint(`--${name} is required.`)
  return given
}

/**
 * @param of all bytes that are known to be there; asked for each line, because more may be found
 * @returns what takes the number of bytes done since its last call
 */
export function progress(
  tell: (line: string) => void,
  { doing, of, now }: { readonly doing: string; readonly of: () => number; readonly now?: () => number },
): (bytes: number) => void {
  const tellPaced = paced(tell, { firstMs: 1_000, everyMs: 2_000, ...(now === undefined ? {} : { now }) })
  let done = 0
  return (bytes) => {
    done += bytes
    // A file may grow after it was found.
    tellPaced(() => `  ${doing}: ${inMb(done)} of ${inMb(Math.max(of(), done))} ...`)
  }
}

export const inMb = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`
