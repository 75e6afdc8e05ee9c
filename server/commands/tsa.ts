// Operator commands for the time-stamp authority.
import type { EntityManager } from '@mikro-orm/postgresql'
import { Complaint } from '../../shared/cli/terminal.ts'
import { rotateCertificate } from '../domain/time_stamps/certificates.ts'
import { KEY_TYPES, type KeyType } from '../domain/time_stamps/key_type.ts'
import { db } from '../store/statement.ts'
import { type Commands, say } from './command.ts'

export const TSA_COMMANDS: Commands = {
  'tsa rotate': {
    usage: '[--key-type p256|rsa]',
    meaning:
      'makes a new key and certificate for time stamps, which every server signs with half a minute later; tokens of the former one stay valid',
    options: {
      'key-type': {
        takes: KEY_TYPES.join('|'),
        meaning: 'what TSA_KEY_TYPE of the servers says: that of the newest certificate, or p256',
      },
    },
    run: async ({ store, masterKey, log }, values) => {
      const em = store.em()
      const keyType = await keyTypeOf(em, values['key-type'])
      const { toMs, sha256 } = await rotateCertificate({ em, masterKey }, keyType)
      const fingerprint = sha256.toString('hex')
      log.info({ fingerprint, key_type: keyType }, 'tsa.rotated')
      return say(
        `A new certificate signs time stamps until ${new Date(toMs).toISOString()}.`,
        `Its SHA-256 is ${fingerprint}.`,
      )
    },
  },
}

const isKeyType = (name: unknown): name is KeyType => KEY_TYPES.some((type) => type === name)

/** @throws Complaint */
async function keyTypeOf(em: EntityManager, given: unknown): Promise<KeyType> {
  if (isKeyType(given)) return given
  if (given !== undefined) throw new Complaint(`--key-type takes ${KEY_TYPES.join(' or ')}.`)
  const newest = await db(em)
    .selectFrom('time_stamp_certificates')
    .select('key_type')
    .where('role', '=', 'leaf')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.key_type ?? 'p256'
}
