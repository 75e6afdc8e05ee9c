// Makes an account for a person who chooses a password: where sign-up is open, or with an invitation.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../kernel/log.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Attempt } from './attempt.ts'
import { createAccount } from './create_account.ts'
import { readInvitation, takeInvitation } from './invite_member.ts'
import { readNewPassword } from './password.ts'
import type { PasswordHashes } from './password_hashes.ts'
import { writePassword } from './sign_in.ts'
import type { Names } from './user.ts'

export interface SigningUp {
  readonly em: EntityManager
  readonly passwords: PasswordHashes
  readonly attempt: Attempt
  /** Without an invitation, too. */
  readonly isOpen: boolean
  readonly log: Log
}

export interface SignUp extends Partial<Names> {
  readonly email: string
  readonly newPassword: string
  /** The client's address key. */
  readonly address: string
}

/**
 * Returns the new account's id. Whether an address is taken can be learned from the answer, because no mail is sent
 * that could tell its owner alone. So each client address may try a few times a minute, and a taken address takes as
 * long as a free one. Where sign-up is closed nothing can be learned.
 * @throws forbidden, invalid_argument, rate_limited, overloaded
 */
export async function signUp(
  { isOpen, ...parts }: SigningUp,
  { email, newPassword, address, ...names }: SignUp,
): Promise<string> {
  if (!isOpen) throw refuse('forbidden', { detail: 'sign-up is closed here; ask for an invitation' })
  await parts.attempt('sign_up', address)
  const userId = await makeAccount(parts, { email, newPassword, address, ...names })
  parts.log.info({ user_id: userId, address, by: 'sign_up' }, 'account.created')
  return userId
}

/**
 * Makes the account of the address that the invitation is for, and accepts the invitation, both or neither. Works
 * where sign-up is closed, too.
 * @throws not_found, invalid_argument, rate_limited, overloaded
 */
export async function signUpInvited(
  parts: Omit<SigningUp, 'isOpen'>,
  { token, newPassword, address, ...names }: Omit<SignUp, 'email'> & { readonly token: string },
): Promise<string> {
  await parts.attempt('sign_up', address)
  const invited = await readInvitation(parts, token)
  if (invited === undefined) throw refuse('not_found', { detail: 'no such invitation' })
  const { email } = invited
  const userId = await makeAccount(parts, { email, newPassword, address, ...names }, async (tx, id) => {
    await takeInvitation(tx, id, token)
  })
  parts.log.info({ user_id: userId, address, by: 'invitation' }, 'account.created')
  return userId
}

async function makeAccount(
  { em, passwords }: Pick<SigningUp, 'em' | 'passwords'>,
  { email, newPassword, address, ...names }: SignUp,
  also: (tx: EntityManager, userId: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const password = readNewPassword(newPassword, 'new_password', email)
  const hash = await passwords.hash(password, address)
  const { userId } = await createAccount({ em }, { email, ...names, plan: 'developer' }, async (tx, id) => {
    await writePassword(tx, id, hash)
    await also(tx, id)
  })
  return userId
}
