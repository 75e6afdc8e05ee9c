// Tries to prove who one is are counted, whether or not there is such an account.
import { createHash } from 'node:crypto'

/** Each charges one try. `address` is a client's address key. @throws rate_limited */
export interface Attempts {
  /** To sign in. `device` is that of a browser that signed in to this account before, see `sign_in.ts`. */
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

/** What counts tries of an account: the hash of the address that was typed, so that no table keeps typed addresses. */
export const accountSubject = (email: string): string =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url')
