// Operator commands for keys: API keys of accounts, the signing keys of the ledger, and the master key.
import type { EntityManager } from '@mikro-orm/postgresql'
import { plural } from '../../shared/verifier/plural.ts'
import { createApiKey, revokeApiKey, SECRET_LENGTHS } from '../domain/accounts/api_key.ts'
import { accountByEmail } from '../domain/accounts/user.ts'
import { rotateKey } from '../domain/ledger/signing_key.ts'
import { refuse } from '../kernel/refusal.ts'
import { masterKey } from '../kernel/sealed.ts'
import { db } from '../store/run.ts'
import { type Commands, givenText, type Options, required, say } from './command.ts'
import { nameUnopened, rewrapSecrets } from './rewrap_secrets.ts'

/** Keys of one list. */
const LISTED = 100

export const KEY_COMMANDS: Commands = {
  'key create': {
    usage: '--email <address> [--name <name>]',
    meaning: 'makes another API key for an account',
    options: { email: { type: 'string' }, name: { type: 'string' } },
    run: async ({ store }, { email, name }) => {
      const em = store.em()
      const { id: userId, email: address } = await accountByEmail(em, required(email, 'email'))
      const { secret } = await createApiKey(em, { userId, name: givenText(name) ?? 'operator' })
      return say(`An API key of ${address}, shown once:`, secret)
    },
  },
  'key list': {
    usage: '--email <address>',
    meaning: `lists the newest API keys of an account, at most ${LISTED}, with the beginning of each`,
    options: { email: { type: 'string' } },
    run: async ({ store }, { email }) => {
      const em = store.em()
      const { id: userId, email: address } = await accountByEmail(em, required(email, 'email'))
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
    options: { id: { type: 'string' }, prefix: { type: 'string' } },
    run: async ({ store, log }, given) => {
      const em = store.em()
      const key = await keyNamed(em, { id: givenText(given.id), prefix: givenText(given.prefix) })
      await revokeApiKey(em, { userId: key.user_id, id: key.id })
      log.info({ user_id: key.user_id, key_id: key.id }, 'api_key.revoked')
      return say(`The API key ${key.prefix}… (${key.name}) is revoked.`)
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
    usage: '--to <64 hex characters> [--leave-unopened]',
    meaning:
      'seals every signing key and every secret under another master key; then restart all servers with MASTER_KEY set to it (a key that the data folder keeps is replaced there); safe to repeat; --leave-unopened goes on past values that do not open, which stay as they are',
    options: { to: { type: 'string' }, 'leave-unopened': { type: 'boolean' } },
    otherKey: ({ to }) => masterKey(keyBytes(to)),
    run: async (
      { store, masterKey: from, changeMasterKey },
      { to: given, 'leave-unopened': leaveUnopened },
    ) => {
      const bytes = keyBytes(given)
      const to = masterKey(bytes)
      const rewrap = () =>
        rewrapSecrets({ em: store.em('ledger'), from, to }, { leaveUnopened: leaveUnopened === true })
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

/** @throws required, invalid_argument */
function keyBytes(given: Options[string]): Buffer {
  const key = required(given, 'to')
  if (!/^[0-9a-f]{64}$/i.test(key))
    throw refuse('invalid_argument', { detail: '--to takes 64 hex characters' })
  return Buffer.from(key, 'hex')
}

const counted = (sealed: ReadonlyMap<string, number>): string =>
  [...sealed].map(([table, values]) => `${plural(values, 'value')} of ${table}`).join(', ')

/** @throws required, invalid_argument, not_found */
async function keyNamed(
  em: EntityManager,
  { id, prefix }: { readonly id: string | undefined; readonly prefix: string | undefined },
) {
  if ((id === undefined) === (prefix === undefined))
    throw refuse('required', { detail: 'say either --id or --prefix' })
  // A pasted key must not name another key, so only as much of it is used as lists show.
  const beginning = prefix?.slice(0, SECRET_LENGTHS.shown)
  if (beginning !== undefined && beginning.length < SECRET_LENGTHS.shown)
    throw refuse('invalid_argument', {
      detail: `--prefix takes the first ${SECRET_LENGTHS.shown} characters of the key`,
    })
  const keys = db(em).selectFrom('api_keys').select(['id', 'user_id', 'prefix', 'name']).limit(2)
  const [found, another] = await (id === undefined
    ? keys.where('prefix', '=', beginning ?? '')
    : keys.where('id', '=', id)
  ).execute()
  if (found === undefined) throw refuse('not_found', { detail: 'there is no such API key' })
  if (another !== undefined)
    throw refuse('invalid_argument', { detail: 'two keys begin like this: name one by its --id' })
  return found
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
