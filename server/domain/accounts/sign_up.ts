// Makes an account for a person who chooses a password: where sign-up is open, or with an invitation.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../kernel/log.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Attempts } from './attempt.ts'
import { createAccount } from './create_account.ts'
import { readInvitation, takeInvitation } from './invite_member.ts'
import type { KnownDevices } from './known_devices.ts'
import { orWrongLink } from './one_time_link.ts'
import { readNewPassword } from './password.ts'
import type { PasswordHashes, Turn } from './password_hashes.ts'
import { type Proven, writePassword } from './sign_in.ts'
import type { Names } from './user.ts'

export interface SigningUp {
  readonly em: EntityManager
  readonly passwords: PasswordHashes
  readonly attempts: Attempts
  readonly devices: KnownDevices
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
 * Whether an address is taken can be learned from the answer, because no mail is sent that could tell its owner alone.
 * So each client address may try a few times a minute, and a taken address takes as long as a free one. Where sign-up
 * is closed nothing can be learned.
 * @throws forbidden, invalid_argument, rate_limited, overloaded
 */
export async function signUp(
  { isOpen, ...parts }: SigningUp,
  { email, newPassword, address, ...names }: SignUp,
): Promise<Proven> {
  if (!isOpen) throw refuse('forbidden', { detail: 'sign-up is closed here; ask for an invitation' })
  await parts.attempts.signUp(address)
  const made = await makeAccount(parts, { email, newPassword, turn: { address }, ...names })
  parts.log.info({ user_id: made.userId, address, by: 'sign_up' }, 'account.created')
  return made
}

/**
 * Makes the account of the address that the invitation is for, and accepts the invitation, both or neither. Works
 * where sign-up is closed, too. The invitation is what is tried here, so nobody else at its address counts.
 * @throws not_found, invalid_argument, rate_limited, overloaded
 */
export async function signUpInvited(
  parts: Omit<SigningUp, 'isOpen'>,
  { token, newPassword, address, ...names }: Omit<SignUp, 'email'> & { readonly token: string },
): Promise<Proven> {
  const { email } = await orWrongLink(parts, address, readInvitation(parts, token))
  const made = await makeAccount(
    parts,
    { email, newPassword, turn: { address }, ...names },
    async (tx, id) => {
      await takeInvitation(tx, id, token)
    },
  )
  parts.log.info({ user_id: made.userId, address, by: 'invitation' }, 'account.created')
  return made
}

async function makeAccount(
  { em, passwords, devices }: Pick<SigningUp, 'em' | 'passwords' | 'devices'>,
  { email, newPassword, turn, ...names }: Omit<SignUp, 'address'> & { readonly turn: Turn },
  also: (tx: EntityManager, userId: string) => Promise<void> = async () => undefined,
): Promise<Proven> {
  const password = readNewPassword(newPassword, 'new_password', email)
  const hash = await passwords.hash(password, turn)
  let passwordSetAt = 0
  const { userId } = await createAccount({ em }, { email, ...names, plan: 'developer' }, async (tx, id) => {
    passwordSetAt = (await writePassword(tx, id, hash)).getTime()
    await also(tx, id)
  })
  return { userId, device: devices.issue({ id: userId, passwordSetAt }) }
}
