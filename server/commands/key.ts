// Operator commands for keys: API keys of accounts, the signing keys of the ledger, and the master key.
import type { EntityManager } from '@mikro-orm/postgresql'
import { textOption, type Values } from '../../shared/cli/command.ts'
import { Complaint, plural } from '../../shared/cli/terminal.ts'
import { createApiKey, revokeApiKey, SECRET_LENGTHS } from '../domain/accounts/api_key.ts'
import { accountByEmail } from '../domain/accounts/user.ts'
import { lockLedger } from '../domain/ledger/block.ts'
import { rotateKey } from '../domain/ledger/signing_key.ts'
import { refuse } from '../kernel/refusal.ts'
import { type MasterKey, masterKey } from '../kernel/sealed.ts'
import { sealedColumns } from '../store/database.ts'
import { holdAllKeys, keyInForce, putKeyInForce, rewrapColumn, type Unopened } from '../store/seal.ts'
import { db, inTransaction } from '../store/statement.ts'
import { type Commands, OF_ACCOUNT, required, say } from './command.ts'
import { MASTER_KEY_FILE, readMasterKey } from './master_key_file.ts'

/** Keys, or values, of one list. */
const LISTED = 100

export const KEY_COMMANDS: Commands = {
  'key create': {
    usage: '--email <address> [--name <name>]',
    meaning: 'makes another API key for an account',
    options: {
      ...OF_ACCOUNT,
      name: { takes: '<name>', meaning: 'by which lists show it: operator' },
    },
    run: async ({ store }, values) => {
      const em = store.em()
      const { id: userId, email: address } = await accountByEmail(em, required(values, 'email'))
      const { secret } = await createApiKey(em, { userId, name: textOption(values, 'name') ?? 'operator' })
      return say(`An API key of ${address}, shown once:`, secret)
    },
  },
  'key list': {
    usage: '--email <address>',
    meaning: `lists the newest API keys of an account, at most ${LISTED}, with the beginning of each`,
    options: OF_ACCOUNT,
    run: async ({ store }, values) => {
      const em = store.em()
      const { id: userId, email: address } = await accountByEmail(em, required(values, 'email'))
      const keys = await db(em)
        .selectFrom('api_keys')
        .select(['id', 'prefix', 'name', 'last_used_at', 'expires_at', 'revoked_at'])
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(LISTED)
        .execute()
      for (const { id, prefix, name, last_used_at, expires_at, revoked_at } of keys)
        say(
          [
            `${id}  ${prefix}…  ${name}`,
            last_used_at === null ? 'never used' : `used ${last_used_at.toISOString()}`,
            ...(expires_at === null ? [] : [`expires ${expires_at.toISOString()}`]),
            ...(revoked_at === null ? [] : [`revoked ${revoked_at.toISOString()}`]),
          ].join('  '),
        )
      return keys.length === 0 ? say(`${address} has no API key.`) : 0
    },
  },
  'key revoke': {
    usage: '--id <id> | --prefix <beginning>',
    meaning:
      'revokes an API key within a minute; its beginning, e.g. phk_4fQ9mZ2x, is shown in lists, and the whole key is not needed',
    options: {
      id: { takes: '<id>', meaning: 'of the key, as "key list" shows it' },
      prefix: { takes: '<beginning>', meaning: 'of the key' },
    },
    run: async ({ store, log }, values) => {
      const em = store.em()
      const key = await keyNamed(em, values)
      await revokeApiKey(em, { userId: key.user_id, id: key.id })
      log.info({ user_id: key.user_id, key_id: key.id }, 'api_key.revoked')
      return say(`The API key ${key.prefix}… (${key.name}) is revoked.`)
    },
  },
  'key rotate': {
    usage: '[--emergency]',
    meaning:
      'introduces the next signing key with the next block; --emergency when the current one is not trusted',
    options: {
      emergency: { meaning: 'says that the current key is not trusted any more' },
    },
    run: async ({ store, masterKey: key }, { emergency }) => {
      const { current, next } = await rotateKey(
        { em: store.em(), masterKey: key },
        { emergency: emergency === true },
      )
      return say(`Signing key ${hex(next.keyId)} follows ${hex(current.keyId)} with the next block.`)
    },
  },
  'key rewrap': {
    usage: '--master-key-file <file> [--leave-unopened]',
    meaning:
      'seals every signing key and every secret under another master key; then restart all servers with MASTER_KEY set to it (a key that the data folder keeps is replaced there); safe to repeat; --leave-unopened goes on past values that do not open, which stay as they are',
    options: {
      [MASTER_KEY_FILE]: {
        takes: '<file>',
        meaning: 'holds the new master key: 64 hex characters; - is standard input',
      },
      // It took the key itself once. Known, so that who still types that is told what to do about it.
      to: { takes: '<text>' },
      'leave-unopened': { meaning: 'goes on past values that do not open' },
    },
    otherKey: newKey,
    run: async ({ store, masterKey: from, otherKey, changeMasterKey }, values) => {
      const bytes = otherKey ?? (await newKey(values))
      const to = masterKey(bytes)
      const rewrap = () =>
        rewrapSecrets(
          { em: store.em('ledger'), from, to },
          { leaveUnopened: values['leave-unopened'] === true },
        )
      const { sealed, unopened } = await (changeMasterKey === undefined
        ? rewrap()
        : changeMasterKey(bytes, rewrap))
      say(
        sealed === undefined
          ? `The master key with the fingerprint ${to.fingerprint} was in force already, and nothing was changed.`
          : `Sealed under the master key with the fingerprint ${to.fingerprint}: ${counted(sealed)}.`,
        ...(unopened.length === 0
          ? []
          : ['Left as they are, because they do not open:', ...nameUnopened(unopened)]),
      )
      return say(
        changeMasterKey === undefined
          ? 'Restart every server with MASTER_KEY set to it now. Until then they are not ready, and refuse what they cannot seal or sign.'
          : 'The data folder keeps it. Restart the server now. Until then it is not ready, and refuses what it cannot seal or sign.',
        'Keep the former one for as long as there are backups from before.',
      )
    },
  },
}

/** @throws Complaint */
async function newKey(values: Values): Promise<Buffer> {
  if (values.to !== undefined)
    throw new Complaint(
      'A master key is no word of a command: every process of this machine can read those, and a shell keeps them. ' +
        'What was typed is no secret any more. Nothing was changed.',
      {
        advice:
          'Make another one, and name its file: npm run pharos -- key rewrap --master-key-file <file>, or - for standard input.',
      },
    )
  return readMasterKey(required(values, MASTER_KEY_FILE), 'Nothing was changed.')
}

const counted = (sealed: ReadonlyMap<string, number>): string =>
  [...sealed].map(([table, values]) => `${plural(values, 'value')} of ${table}`).join(', ')

/** @throws Complaint, not_found */
async function keyNamed(em: EntityManager, values: Values) {
  const id = textOption(values, 'id')
  const prefix = textOption(values, 'prefix')
  if ((id === undefined) === (prefix === undefined)) throw new Complaint('Say either --id or --prefix.')
  // A pasted key must not name another key, so only as much of it is used as lists show.
  const beginning = prefix?.slice(0, SECRET_LENGTHS.shown)
  if (beginning !== undefined && beginning.length < SECRET_LENGTHS.shown)
    throw new Complaint(`--prefix takes the first ${SECRET_LENGTHS.shown} characters of the key.`)
  const keys = db(em).selectFrom('api_keys').select(['id', 'user_id', 'prefix', 'name']).limit(2)
  const [found, another] = await (id === undefined
    ? keys.where('prefix', '=', beginning ?? '')
    : keys.where('id', '=', id)
  ).execute()
  if (found === undefined) throw refuse('not_found', { detail: 'there is no such API key' })
  if (another !== undefined) throw new Complaint('Two keys begin like this: name one by its --id.')
  return found
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

interface Rewrapped {
  /** Values that are now sealed under the new key, by table. Undefined when it was in force already. */
  readonly sealed: ReadonlyMap<string, number> | undefined
  /** They stay as they were. */
  readonly unopened: readonly Unopened[]
}

/** The message names the values and says what to do. */
const unopenedValues = (unopened: readonly Unopened[]): Error =>
  new Error(
    [
      `${unopened.length} sealed ${unopened.length === 1 ? 'value does' : 'values do'} not open under the master key in force. Nothing was changed.`,
      ...nameUnopened(unopened),
      ...WHAT_TO_DO,
    ].join('\n'),
  )

const WHAT_TO_DO = [
  'If they were sealed under a former master key, bring them back: rewrap to that key, and then to the new one.',
  'If not, they are lost either way, and who owns the endpoint has to give its secret or headers again: add',
  '--leave-unopened, and they stay as they are while everything else is sealed under the new key.',
]

const nameUnopened = (unopened: readonly Unopened[]): string[] => [
  ...unopened.slice(0, LISTED).map(({ table, id, column }) => `  ${table} ${id}: ${column}`),
  ...(unopened.length > LISTED ? [`  and ${unopened.length - LISTED} more`] : []),
]

/**
 * All or nothing, and safe to repeat. Restart the servers with the new key.
 * @throws an Error that names the values that do not open, unless they are to be left. Then nothing has changed
 * @throws master_key_changed when neither key is in force
 */
export function rewrapSecrets(
  { em, ...keys }: { readonly em: EntityManager; readonly from: MasterKey; readonly to: MasterKey },
  { leaveUnopened = false }: { readonly leaveUnopened?: boolean } = {},
): Promise<Rewrapped> {
  const { from, to } = keys
  return inTransaction(em, async (tx) => {
    await lockLedger(tx)
    await holdAllKeys(tx)
    const inForce = await keyInForce(tx)
    if (inForce === to.fingerprint) return { sealed: undefined, unopened: [] }
    if (inForce !== from.fingerprint) throw refuse('master_key_changed', { detail: ANOTHER })
    const sealed = new Map<string, number>()
    const unopened: Unopened[] = []
    for (const column of sealedColumns) {
      const done = await rewrapColumn(tx, column, keys)
      sealed.set(column.table, (sealed.get(column.table) ?? 0) + done.sealed)
      unopened.push(...done.unopened)
    }
    if (unopened.length > 0 && !leaveUnopened) throw unopenedValues(unopened)
    await putKeyInForce({ em: tx, masterKey: to })
    // Commit point: from here on only the new key opens.
    return { sealed, unopened }
  })
}

const ANOTHER = 'somebody else has just changed the master key to a third one; nothing was changed'
