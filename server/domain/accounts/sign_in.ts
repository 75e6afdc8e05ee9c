// Proves that a person is who they say, by address and password. A browser that signed in before has its own budget
// of tries, which strangers cannot spend ("device cookies", OWASP).
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Log } from '../../kernel/log.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { bool, float8, nullable, text } from '../../store/columns.ts'
import { db, NOW, type RowFrom, rows, statement } from '../../store/statement.ts'
import { type PasswordHashes, spelled } from './password.ts'
import { isEmail } from './user.ts'

/**
 * Tries to prove who one is are counted, whether or not there is such an account. Each of these charges one try.
 * `address` is a client's address key. @throws rate_limited
 */
export interface Attempts {
  /** To sign in. `device` is that of a browser that signed in to this account before. */
  readonly signIn: (tried: {
    readonly email: string
    readonly address: string
    readonly device: string | undefined
  }) => Promise<void>
  /** To make an account. */
  readonly signUp: (address: string) => Promise<void>
  /** To use a one-time link that there is not. */
  readonly wrongLink: (address: string) => Promise<void>
  /** To change the password of an account that one is signed in to. */
  readonly changePassword: (userId: string) => Promise<void>
}

interface DeviceOwner {
  readonly id: string
  /** When the password was set, in unix milliseconds. Null without one. */
  readonly passwordSetAt: number | null
}

/** Random bytes, which are 24 characters of base64url, and their MAC, which is 43. */
const NONCE = { bytes: 18, characters: 24 } as const

export const DEVICE_TOKEN = /^[\w-]{67}$/

/** What a token is called where it must not be told. */
const deviceName = (token: string): string => token.slice(0, NONCE.characters)

/**
 * Nothing is stored. A token names nobody: the MAC is over the account, the time of its password and the random bytes,
 * so whoever finds the cookie learns nothing of it, and a new password makes all of them worthless.
 * @param key derived from the master key
 */
export function knownDevices(key: Buffer) {
  const sign = ({ id, passwordSetAt }: DeviceOwner, nonce: string): Buffer =>
    createHmac('sha256', key).update(`${id}\n${passwordSetAt}\n${nonce}`).digest()
  const isOf = (token: string, account: DeviceOwner): boolean => {
    const mac = Buffer.from(token.slice(NONCE.characters), 'base64url')
    const expected = sign(account, deviceName(token))
    return mac.length === expected.length && timingSafeEqual(mac, expected)
  }
  return Object.freeze({
    /** A token for a browser that has just proven to be its account's. It ends with the password. */
    issue: (account: DeviceOwner) => {
      const nonce = randomBytes(NONCE.bytes).toString('base64url')
      return `${nonce}${sign(account, nonce).toString('base64url')}`
    },
    /** The one of the tokens that was issued for this account. It takes as long where there is no such account. */
    find: (tokens: readonly string[], account: DeviceOwner = NOBODY): string | undefined =>
      tokens.filter((token) => isOf(token, account))[0],
  })
}

/** No token is issued for it. */
const NOBODY: DeviceOwner = { id: '', passwordSetAt: null }

/** What it takes to prove who somebody is, or to make that possible. */
export interface SigningIn {
  readonly em: EntityManager
  readonly passwords: PasswordHashes
  readonly attempts: Attempts
  readonly devices: ReturnType<typeof knownDevices>
  readonly log: Log
}

interface SignIn {
  readonly email: string
  readonly password: string
  /** The client's address key. */
  readonly address: string
  /** The tokens that the browser was given when people signed in in it. */
  readonly devices?: readonly string[]
}

/** Who somebody is, and the token by which the browser is known from now on. */
export interface Proven {
  readonly userId: string
  readonly device: string
  /** The token of the browser that `device` replaces. */
  readonly replaces?: string | undefined
}

/**
 * An unknown account, one without a password, a wrong password and a disabled account get the same refusal after the
 * same work: one lookup and one hash. Every try is charged, also the good ones.
 * @throws unauthorized, rate_limited, overloaded
 */
export async function signIn(
  { em, passwords, attempts, devices, log }: SigningIn,
  { email, password, address, devices: tokens = [] }: SignIn,
): Promise<Proven> {
  try {
    const before = await findAccount(em, email)
    const known = devices.find(tokens, before && ownerOf(before))
    await attempts.signIn({ email, address, device: known && deviceName(known) })
    const turn = before !== undefined && known !== undefined ? { known: before.id } : { address }
    const { matches, outdated } = await passwords.verify(before?.hash ?? undefined, password, turn)
    // The hash may have waited for seconds. In the meantime the password may have been changed because of whoever
    // signs in here, or the account disabled.
    const account = matches ? await findAccount(em, email) : before
    const isCurrent = matches && account?.changed_at === before?.changed_at
    if (account === undefined || account.is_disabled || !isCurrent) {
      log.info(
        { ...(account === undefined ? {} : { user_id: account.id }), address, reason: reasonOf(account) },
        'account.sign_in_refused',
      )
      throw refuse('unauthorized', { detail: 'the e-mail address or the password is wrong' })
    }
    if (outdated && account.hash !== null)
      await renewHash(em, account.id, account.hash, await passwords.hash(spelled(password), turn))
    log.info({ user_id: account.id, address }, 'account.signed_in')
    return { userId: account.id, device: devices.issue(ownerOf(account)), replaces: known }
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'unauthorized')
      log.info({ address, reason: error.code }, 'account.sign_in_refused')
    throw error
  }
}

type Account = RowFrom<typeof ACCOUNT>

const ownerOf = ({ id, changed_at }: Account) => ({ id, passwordSetAt: changed_at })

const reasonOf = (account: Account | undefined): string => {
  if (account === undefined) return 'unknown_account'
  if (account.is_disabled) return 'disabled'
  return account.hash === null ? 'no_password' : 'wrong_password'
}

const findAccount = async (em: EntityManager, email: string): Promise<Account | undefined> =>
  isEmail(email) ? (await rows(em, ACCOUNT({ email: email.toLowerCase() })))[0] : undefined

/** Index: users_email_key. */
const ACCOUNT = statement(
  { id: text, is_disabled: bool, hash: nullable(text), changed_at: nullable(float8) },
  ({ email }: { email: string }) => sql`
  SELECT u.id, u.disabled_at IS NOT NULL AS is_disabled, p.hash, unix_ms(p.changed_at) AS changed_at
    FROM users u LEFT JOIN passwords p ON p.user_id = u.id WHERE u.email = ${email}`,
)

/** Not when the password was changed in the meantime. */
const renewHash = async (em: EntityManager, userId: string, known: string, hash: string): Promise<void> => {
  await db(em)
    .updateTable('passwords')
    .set({ hash })
    .where('user_id', '=', userId)
    .where('hash', '=', known)
    .execute()
}

/** Writes the password of an account, whether or not it had one. Returns the time from which it is valid. */
export async function writePassword(em: EntityManager, userId: string, hash: string): Promise<Date> {
  const written = await db(em)
    .insertInto('passwords')
    .values({ user_id: userId, hash })
    .onConflict((on) => on.column('user_id').doUpdateSet({ hash, changed_at: NOW }))
    .returning('changed_at')
    .executeTakeFirstOrThrow()
  return written.changed_at
}
