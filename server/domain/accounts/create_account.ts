// Creates an account: the user, the personal team and the membership, in one transaction. With a password where
// sign-up is open, or with an invitation.
import type { EntityManager } from '@mikro-orm/postgresql'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { isDuplicate } from '../../store/database_errors.ts'
import { db, inTransaction } from '../../store/run.ts'
import { readInvitation, takeInvitation } from './invite_member.ts'
import { orWrongLink } from './one_time_link.ts'
import { type HashTurn, readNewPassword } from './password.ts'
import type { Plan } from './plan.ts'
import { type Proven, type SigningIn, writePassword } from './sign_in.ts'
import { makeOwner, TEAM_NAME_LENGTH } from './team.ts'
import { fullName, isEmail, NAME_LENGTH, type Names } from './user.ts'

interface NewAccount extends Partial<Names> {
  readonly email: string
  readonly plan: Plan
}

/**
 * @param also what else belongs to the account, in the same transaction
 * @throws invalid_argument when the address or name is invalid, or the address is taken
 */
export async function createAccount(
  em: EntityManager,
  { email, firstName = '', lastName = '', plan }: NewAccount,
  also: (tx: EntityManager, userId: string) => Promise<void> = async () => undefined,
): Promise<{ userId: string; teamId: string }> {
  if (!isEmail(email))
    throw refuse('invalid_argument', { path: ['email'], detail: 'is not an e-mail address' })
  const names = { firstName: firstName.trim(), lastName: lastName.trim() }
  for (const [member, name] of Object.entries(names))
    if (name.includes('\0') || [...name].length > NAME_LENGTH)
      throw refuse('invalid_argument', {
        path: [member],
        detail: `has at most ${NAME_LENGTH} characters`,
        meta: { maximum: NAME_LENGTH },
      })
  const userId = newUuid7()
  const teamId = newUuid7()
  try {
    await inTransaction(em, async (tx) => {
      await db(tx)
        .insertInto('users')
        .values({
          id: userId,
          email: email.toLowerCase(),
          first_name: names.firstName,
          last_name: names.lastName,
          plan,
        })
        .execute()
      const name = [...fullName(names, email)].slice(0, TEAM_NAME_LENGTH).join('')
      await db(tx).insertInto('teams').values({ id: teamId, name, personal_user_id: userId }).execute()
      await makeOwner(tx, teamId, userId)
      await also(tx, userId)
    })
  } catch (error) {
    if (isDuplicate(error)) throw refuse('invalid_argument', { path: ['email'], detail: 'is taken' })
    throw error
  }
  return { userId, teamId }
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
  { isOpen, ...parts }: SigningIn & { /** Without an invitation, too. */ readonly isOpen: boolean },
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
  parts: SigningIn,
  { token, newPassword, address, ...names }: Omit<SignUp, 'email'> & { readonly token: string },
): Promise<Proven> {
  const { email } = await orWrongLink(parts, address, readInvitation(parts.em, token))
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
  { em, passwords, devices }: SigningIn,
  { email, newPassword, turn, ...names }: Omit<SignUp, 'address'> & { readonly turn: HashTurn },
  also: (tx: EntityManager, userId: string) => Promise<void> = async () => undefined,
): Promise<Proven> {
  const password = await readNewPassword(newPassword, 'new_password', email)
  const hash = await passwords.hash(password, turn)
  let passwordSetAt = 0
  const { userId } = await createAccount(em, { email, ...names, plan: 'developer' }, async (tx, id) => {
    passwordSetAt = (await writePassword(tx, id, hash)).getTime()
    await also(tx, id)
  })
  return { userId, device: devices.issue({ id: userId, passwordSetAt }) }
}
