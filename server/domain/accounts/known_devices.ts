// Browsers in which a person signed in before ("device cookies", OWASP). Each has a token, which is no credential: it
// only gives the browser its own budget of tries to sign in to this account, which strangers cannot spend.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export interface KnownDevices {
  /** A token for a browser that has just proven to be its account's. It ends with the password. */
  readonly issue: (account: DeviceOwner) => string
  /** The one of the tokens that was issued for this account. */
  readonly find: (tokens: readonly string[], account: DeviceOwner | undefined) => string | undefined
}

export interface DeviceOwner {
  readonly id: string
  /** When the password was set, in unix milliseconds. Null without one. */
  readonly passwordSetAt: number | null
}

/** Random bytes, which are 24 characters of base64url, and their MAC, which is 43. */
const NONCE = { bytes: 18, characters: 24 } as const

export const DEVICE_TOKEN = /^[\w-]{67}$/

/** What a token is called where it must not be told. */
export const deviceName = (token: string): string => token.slice(0, NONCE.characters)

/**
 * Nothing is stored. A token names nobody: the MAC is over the account, the time of its password and the random bytes,
 * so whoever finds the cookie learns nothing of it, and a new password makes all of them worthless.
 * @param key derived from the master key
 */
export function knownDevices(key: Buffer): KnownDevices {
  const sign = ({ id, passwordSetAt }: DeviceOwner, nonce: string): Buffer =>
    createHmac('sha256', key).update(`${id}\n${passwordSetAt}\n${nonce}`).digest()
  const isOf = (token: string, account: DeviceOwner): boolean => {
    const mac = Buffer.from(token.slice(NONCE.characters), 'base64url')
    const expected = sign(account, deviceName(token))
    return mac.length === expected.length && timingSafeEqual(mac, expected)
  }
  return Object.freeze({
    issue: (account: DeviceOwner) => {
      const nonce = randomBytes(NONCE.bytes).toString('base64url')
      return `${nonce}${sign(account, nonce).toString('base64url')}`
    },
    // It takes as long where there is no such account.
    find: (tokens: readonly string[], account: DeviceOwner = NOBODY) =>
      tokens.filter((token) => isOf(token, account))[0],
  } satisfies KnownDevices)
}

/** No token is issued for it. */
const NOBODY: DeviceOwner = { id: '', passwordSetAt: null }
