// Operator commands for keys: API keys of accounts, the signing keys of the ledger, and the master key.
import { createApiKey } from '../domain/accounts/api_key.ts'
import { rotateKey } from '../domain/ledger/rotate_key.ts'
import { refuse } from '../kernel/refusal.ts'
import { masterKey } from '../kernel/sealed.ts'
import { db } from '../store/run.ts'
import { type Commands, required, say, text } from './command.ts'
import { rewrapSecrets } from './rewrap_secrets.ts'

export const KEY_COMMANDS: Commands = {
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
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
