// Operator commands: `npm run pharos -- <command>`. They use a running server's database, or start it themselves.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import manifest from '../package.json' with { type: 'json' }
import type { Values } from '../shared/cli/command.ts'
import { endOnInterrupt } from '../shared/cli/interrupt.ts'
import { tableOf } from '../shared/cli/program.ts'
import { Complaint, codeOf } from '../shared/cli/terminal.ts'
import { type Installation, type LedgerCommand, say } from './commands/command.ts'
import { operatorOrder, PROGRAM } from './commands/commands.ts'
import { installationOf } from './doctor/examine.ts'
import { oneTimeLink } from './domain/accounts/one_time_link.ts'
import { AnotherKeyInForce } from './domain/ledger/check_start.ts'
import { createLog } from './kernel/log.ts'
import { Refusal } from './kernel/refusal.ts'
import { type MasterKey, masterKey as masterKeyOf } from './kernel/sealed.ts'
import { baseOf, type Config, environment, readConfig } from './settings/read_settings.ts'
import { readWitnessPolicy } from './start/brought_files.ts'
import { explainError } from './start/explain_error.ts'
import { makeFirstAccount } from './start/first_account.ts'
import { reachDatabase } from './start/open_database.ts'
import { logChoices, prepareLedger } from './start/prepare_ledger.ts'
import { bool } from './store/columns.ts'
import { CLUSTER } from './store/embedded/place.ts'
import { openStore, type Store } from './store/open_store.ts'
import { row, statement } from './store/statement.ts'

const hasLedger = async (store: Store): Promise<boolean> => (await row(store.em(), HAS_LEDGER)).begun

const HAS_LEDGER = statement({ begun: bool }, sql`SELECT to_regclass('blocks') IS NOT NULL AS begun`)

async function main(args: readonly string[]): Promise<number> {
  let help = `${PROGRAM.self} help lists the commands.`
  try {
    if (await isForEverybody(args)) {
      // It needs no installation: the command line for everybody has it, and reads the same words.
      await import('./client/main.ts')
      return Number(process.exitCode ?? 0)
    }
    endOnInterrupt()
    const order = operatorOrder(args)
    if (order.kind === 'text') return say(...order.text.split('\n'))
    help = `${PROGRAM.self} ${order.name} --help`
    return await obey(order)
  } catch (error) {
    return tellFailure(error, help)
  }
}

type OperatorOrder = Extract<ReturnType<typeof operatorOrder>, { readonly kind: 'command' }>

async function obey({ command, values, words }: OperatorOrder): Promise<number> {
  const root = join(import.meta.dirname, '..')
  // It opens and changes nothing, so it also works where no server could start.
  if ('examine' in command) return command.examine(installationOf(environment(root), root), values)
  const config = readConfig(environment(root), root)
  if (
    command.existing === true &&
    config.databaseUrl === undefined &&
    !existsSync(join(config.dataDir, CLUSTER))
  )
    throw new Error(`There is no ledger in ${config.dataDir}: is DATA_DIR right?`)
  const tell = (line: string) => void process.stderr.write(`${line}\n`)
  if ('runOn' in command) return command.runOn(installation(config, tell), values, words)
  return runInLedger(command, { config, tell, values, words })
}

/** Operators audit their own database, and everybody a copy of a log. */
async function isForEverybody([noun = '', ...words]: readonly string[]): Promise<boolean> {
  if (noun === 'audit') return words.some((word) => /^--from(=|$)/.test(word))
  const startsWithNoun = (name: string) => name === noun || name.startsWith(`${noun} `)
  if (noun === '' || Object.keys(tableOf(PROGRAM)).some(startsWithNoun)) return false
  const { CLIENT_COMMANDS } = await import('./client/commands.ts')
  return Object.keys(CLIENT_COMMANDS).some(startsWithNoun)
}

const installation = (config: Config, tell: (line: string) => void): Installation => ({
  version: manifest.version,
  dataDir: config.dataDir,
  databaseIsNamed: config.databaseUrl !== undefined,
  masterKey: config.masterKey,
  tell,
  reach: () => reachDatabase(config, tell),
  prepare: async ({ url, masterKey }) => {
    const store = openStore({ url, poolSize: 3, prepares: config.databasePrepares })
    try {
      await prepareLedger({ url, store, masterKey, publicLog: logChoices(config), tell })
    } finally {
      await store.close()
    }
  },
})

async function runInLedger(
  command: LedgerCommand,
  {
    config: own,
    tell,
    values,
    words,
  }: {
    readonly config: Config
    readonly tell: (line: string) => void
    readonly values: Values
    readonly words: readonly string[]
  },
): Promise<number> {
  // Read before a database is started for nothing, and once: standard input has it once.
  const otherKey = await command.otherKey?.(values)
  const database = await reachDatabase(own, tell)
  // A running server may have got its address from a shell that this command does not know.
  const config = database.servedAt === undefined ? own : { ...own, baseUrl: database.servedAt }
  const base = baseOf(config)
  const store = openStore({
    url: database.url,
    poolSize: 3,
    prepares: config.databasePrepares,
  })
  try {
    if (command.existing === true && !(await hasLedger(store)))
      throw new Error('There is no ledger in this database: is DATABASE_URL, or DATA_DIR, right?')
    const publicLog = logChoices(config)
    const prepare = async (masterKey: MasterKey): Promise<MasterKey> => {
      await prepareLedger({ url: database.listenUrl, store, masterKey, publicLog, tell })
      return masterKey
    }
    const other = otherKey === undefined ? undefined : masterKeyOf(otherKey)
    const masterKey = await prepare(database.masterKey).catch((error: unknown) => {
      if (other === undefined || !(error instanceof AnotherKeyInForce)) throw error
      if (error.inForce !== other.fingerprint) throw error
      return prepare(other)
    })
    await makeFirstAccount(
      store.em(),
      ({ email, apiKey, passwordToken }) =>
        void say(
          `The ledger was empty. The first account is ${email}; its API key, and the link to choose a password, shown once:`,
          apiKey,
          oneTimeLink(base, 'password_reset', passwordToken),
        ),
    )
    const witnessing =
      config.witnessPolicy === undefined
        ? undefined
        : await readWitnessPolicy(store.em(), config.witnessPolicy)
    const log = createLog('info', process.stderr)
    return await command.run(
      { ...database, masterKey, otherKey, store, base, log, signedMemory: publicLog.memory, witnessing },
      values,
      words,
    )
  } finally {
    await store.close()
    await database.close()
  }
}

/** 2 for what is wrongly asked: 1 is what `doctor` and `audit` say of an installation that is not sound. */
function exitCodeOf(error: unknown): number {
  if (error instanceof Complaint) return error.exitCode
  return error instanceof Refusal && (error.code === 'invalid_argument' || error.code === 'required') ? 2 : 1
}

/** @param help what to type where what was wrongly asked does not say that itself */
function tellFailure(error: unknown, help: string): number {
  const code = exitCodeOf(error)
  const own = error instanceof Complaint ? error.advice : undefined
  const next = own ?? (code === 2 ? help : undefined)
  process.stderr.write(`${explainError(error)}${next === undefined ? '' : `\n${next}`}\n`)
  return code
}

// A reader may close the pipe early, such as `head`. The command goes on, because its exit code counts.
process.stdout.on('error', (error) => {
  if (codeOf(error) !== 'EPIPE') throw error
})
void main(process.argv.slice(2)).then((code) => process.exit(code))
