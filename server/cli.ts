// Operator commands: `npm run pharos -- <command>`. They use a running server's database, or start it themselves.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { sql } from 'kysely'
import { type Config, environment, readConfig } from './config.ts'
import { createApiKey } from './domain/accounts/api_key.ts'
import { createAccount } from './domain/accounts/create_account.ts'
import { FEATURE_FLAGS, setFeatureFlag } from './domain/accounts/feature_flag.ts'
import { type Plan, planNames } from './domain/accounts/plan.ts'
import { auditEpochs } from './domain/commitments/audit_epochs.ts'
import { auditLedger } from './domain/ledger/audit/audit_ledger.ts'
import { describeDisagreement } from './domain/ledger/audit/disagreement.ts'
import { rotateKey } from './domain/ledger/rotate_key.ts'
import { entities } from './entities.ts'
import { explainError } from './explain_error.ts'
import { makeFirstAccount } from './first_account.ts'
import { refuse } from './kernel/refusal.ts'
import { type MasterKey, masterKey } from './kernel/sealed.ts'
import { type OpenDatabase, reachDatabase } from './open_database.ts'
import { prepareLedger } from './prepare_ledger.ts'
import { rewrapSecrets } from './rewrap_secrets.ts'
import { bool } from './store/columns.ts'
import { openStore, type Store } from './store/open_store.ts'
import { db, row } from './store/run.ts'
import { statement } from './store/statement.ts'

type Options = Readonly<Record<string, string | boolean | undefined>>

interface Tools {
  readonly config: Config
  readonly store: Store
  readonly masterKey: MasterKey
  /** Where the data folder stores the master key. */
  readonly changeMasterKey?: OpenDatabase['changeMasterKey']
}

interface Command {
  readonly usage: string
  readonly meaning: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** Never creates a ledger, because a mistyped place must not look like a sound ledger. */
  readonly existing?: true
  /** Returns the exit code. */
  readonly run: (tools: Tools, options: Options, rest: readonly string[]) => Promise<number>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  'user create': {
    usage: '--email <address> [--first-name <name>] [--last-name <name>] [--plan <plan>]',
    meaning: `makes an account with its personal team and one API key (plans: ${planNames.join(', ')})`,
    options: {
      email: { type: 'string' },
      'first-name': { type: 'string' },
      'last-name': { type: 'string' },
      plan: { type: 'string' },
    },
    run: async ({ store }, { email, 'first-name': firstName, 'last-name': lastName, plan }) => {
      const em = store.em()
      const address = required(email, 'email')
      const { userId } = await createAccount(
        { em },
        {
          email: address,
          firstName: text(firstName) ?? '',
          lastName: text(lastName) ?? '',
          plan: planOf(plan),
        },
      )
      const { secret } = await createApiKey({ em }, { userId, name: 'first key' })
      return say(`Account ${address} (${userId}) is there. Its API key, shown once:\n${secret}`)
    },
  },
  'key create': {
    usage: '--email <address> [--name <name>]',
    meaning: 'makes another API key for an account',
    options: { email: { type: 'string' }, name: { type: 'string' } },
    run: async ({ store }, { email, name }) => {
      const em = store.em()
      const address = required(email, 'email')
      const user = await db(em)
        .selectFrom('users')
        .select('id')
        .where('email', '=', address.toLowerCase())
        .executeTakeFirst()
      if (user === undefined) throw refuse('not_found', { detail: `there is no account ${address}` })
      const { secret } = await createApiKey({ em }, { userId: user.id, name: text(name) ?? 'operator' })
      return say(`An API key of ${address}, shown once:\n${secret}`)
    },
  },
  'key rotate': {
    usage: '[--emergency]',
    meaning:
      'introduces the next signing key with the next block; --emergency when the current one is not trusted',
    options: { emergency: { type: 'boolean' } },
    run: async ({ store, masterKey: key }, { emergency }) => {
      const { current, next } = await rotateKey(
        { em: store.em(), masterKey: key },
        { emergency: emergency === true },
      )
      return say(`Signing key ${hex(next.keyId)} follows ${hex(current.keyId)} with the next block.`)
    },
  },
  'key rewrap': {
    usage: '--to <64 hex characters>',
    meaning:
      'seals every signing key and every secret under another master key; restart all servers with MASTER_KEY set to it (a key that the data folder keeps is replaced there)',
    options: { to: { type: 'string' } },
    run: async ({ store, masterKey: from, changeMasterKey }, { to }) => {
      const key = required(to, 'to')
      if (!/^[0-9a-f]{64}$/i.test(key))
        throw refuse('invalid_argument', { detail: '--to takes 64 hex characters' })
      const bytes = Buffer.from(key, 'hex')
      const rewrap = () => rewrapSecrets({ em: store.em(), from, to: masterKey(bytes) })
      const rewrapped = await (changeMasterKey === undefined ? rewrap() : changeMasterKey(bytes, rewrap))
      const next =
        changeMasterKey === undefined
          ? 'Restart all servers with it'
          : 'The data folder keeps it; restart the server'
      return say(
        `${rewrapped.signingKeys} signing keys and ${rewrapped.endpointSecrets} secrets of webhook endpoints are sealed under the new master key. ${next} now.`,
      )
    },
  },
  'flag set': {
    usage: '<name> <on|off>',
    meaning: `sets a feature flag: ${Object.entries(FEATURE_FLAGS)
      .map(([name, { meaning }]) => `${name} (${meaning})`)
      .join(', ')}`,
    options: {},
    run: async ({ store }, _, [name = '', state = '']) => {
      if (state !== 'on' && state !== 'off') throw refuse('invalid_argument', { detail: 'say on or off' })
      await setFeatureFlag({ em: store.em() }, name, state === 'on')
      return say(`${name} is ${state}.`)
    },
  },
  audit: {
    usage: '',
    meaning:
      'recomputes every hash, root, signature and link from genesis to head, every item, and every epoch with its evidence',
    options: {},
    existing: true,
    run: async ({ store, masterKey: key }) => {
      const report = await auditLedger({
        em: store.em('ledger'),
        masterKey: key,
        onProgress: ({ heights, items }) =>
          void process.stderr.write(`  ${heights.done} of ${heights.total} blocks, ${items} items\n`),
      })
      const counted = `${report.blocks} blocks, up to height ${report.height}, and ${report.items} items`
      const epochs = report.passed ? await auditEpochs({ em: store.em('ledger') }) : undefined
      const [first] = [...report.disagreements, ...(epochs?.disagreements ?? [])]
      if (first === undefined) return say(`The ledger agrees: ${counted}, in ${epochs?.epochs ?? 0} epochs.`)
      say(`The ledger does NOT agree. ${describeDisagreement(first)}. Checked until then: ${counted}.`)
      return 1
    },
  },
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const say = (line: string): 0 => {
  process.stdout.write(`${line}\n`)
  return 0
}

const text = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

const required = (value: string | boolean | undefined, name: string): string => {
  const given = text(value)
  if (given === undefined || given === '') throw refuse('required', { detail: `--${name} is required` })
  return given
}

const planOf = (value: string | boolean | undefined): Plan => {
  const plan = planNames.find((name) => name === (text(value) ?? 'developer'))
  if (plan === undefined)
    throw refuse('invalid_argument', { detail: `--plan is one of ${planNames.join(', ')}` })
  return plan
}

const help = (name?: string): string => {
  const shown = Object.entries(COMMANDS).filter(([one]) => name === undefined || one === name)
  const lines = shown.map(([one, { usage, meaning }]) => `  ${`${one} ${usage}`.trim()}\n      ${meaning}`)
  return `Usage: npm run pharos -- <command> [options]\n\n${lines.join('\n')}\n\n  --help with any command shows its own line.`
}

const hasLedger = async (store: Store): Promise<boolean> => (await row(store.em(), HAS_LEDGER)).begun

const HAS_LEDGER = statement({ begun: bool }, sql`SELECT to_regclass('blocks') IS NOT NULL AS begun`)

async function main(words: readonly string[]): Promise<number> {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => Object.hasOwn(COMMANDS, one))
  const command = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || command === undefined) {
    const asked = words.length === 0 || words.includes('--help')
    process[asked ? 'stdout' : 'stderr'].write(
      `${asked ? '' : `No such command: ${words.join(' ')}\n\n`}${help()}\n`,
    )
    return asked ? 0 : 2
  }
  const { values, positionals } = parseArgs({
    args: words.slice(name.split(' ').length),
    options: { ...command.options, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.help === true) return say(help(name))
  const root = join(import.meta.dirname, '..')
  const config = readConfig(environment(root), root)
  if (command.existing === true && config.databaseUrl === undefined && !existsSync(config.dataDir))
    throw new Error(`There is no ledger in ${config.dataDir}: is DATA_DIR right?`)
  const tell = (line: string) => void process.stderr.write(`${line}\n`)
  const database = await reachDatabase(config, tell)
  const store = await openStore({ url: database.url, poolSize: 3, entities })
  try {
    if (command.existing === true && !(await hasLedger(store)))
      throw new Error('There is no ledger in this database: is DATABASE_URL, or DATA_DIR, right?')
    await prepareLedger({ url: database.listenUrl, store, masterKey: database.masterKey, tell })
    await makeFirstAccount(
      { em: store.em() },
      ({ email, apiKey }) =>
        void say(`The ledger was empty. The first account is ${email}; its API key, shown once:\n${apiKey}`),
    )
    return await command.run({ config, store, ...database }, values as Options, positionals)
  } finally {
    await store.close()
    await database.close()
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${explainError(error)}\n`)
    process.exit(1)
  },
)
