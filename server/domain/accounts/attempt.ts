// Tries to prove who one is are limited by client address and by account, whether or not there is such an account.
import { createHash } from 'node:crypto'

/** Whose tries are counted: of a client address, of an account, or new accounts of a client address. */
export type AttemptKind = 'address' | 'account' | 'sign_up'

/** Charges one try. @throws rate_limited */
export type Attempt = (kind: AttemptKind, subject: string) => Promise<void>

/** What counts tries of an account: the hash of the address that was typed, so that no table keeps typed addresses. */
export const accountSubject = (email: string): string =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url')
