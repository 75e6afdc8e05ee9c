// Accounts: made, with the personal team and the membership, in one transaction; and everything that people do with them on
// the sign-in pages, with its collaborators.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { newUuid7 } from '../../kernel/identifiers.ts'
import type { Log } from '../../kernel/log.ts'
import { refuse } from '../../kernel/refusal.ts'
import { isDuplicate } from '../../store/database_errors.ts'
import { db, inTransaction } from '../../store/statement.ts'
import { acceptInvitation, readInvitation, takeInvitation } from './invite_member.ts'
import { changePassword, choosePassword, readPasswordReset } from './new_password.ts'
import { orWrongLink } from './one_time_link.ts'
import { createPasswordHashes, type HashTurn, readNewPassword } from './password.ts'
import type { Plan } from './plan.ts'
import { type Attempts, knownDevices, type Proven, type SigningIn, signIn, writePassword } from './sign_in.ts'
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
) {
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
      const named = { first_name: names.firstName, last_name: names.lastName }
      await db(tx)
        .insertInto('users')
        .values({ id: userId, email: email.toLowerCase(), ...named, plan })
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

interface SignUp extends Partial<Names> {
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
async function signUp(
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
async function signUpInvited(
  parts: SigningIn,
  { token, newPassword, address, ...names }: Omit<SignUp, 'email'> & { readonly token: string },
): Promise<Proven> {
  const { email } = await orWrongLink(parts, address, readInvitation(parts.em, token))
  const made = await makeAccount(parts, { email, newPassword, turn: { address }, ...names }, (tx, id) =>
    takeInvitation(tx, id, token),
  )
  parts.log.info({ user_id: made.userId, address, by: 'invitation' }, 'account.created')
  return made
}

async function makeAccount(
  { em, passwords, devices }: SigningIn,
  { email, newPassword, turn, ...names }: Omit<SignUp, 'address'> & { readonly turn: HashTurn },
  also: (tx: EntityManager, userId: string) => Promise<unknown> = async () => undefined,
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

/** A token that was posted, and the client's address key that its try is charged to when there is no such link. */
interface GivenLink {
  readonly token: string
  readonly address: string
}

export type AccountDoor = ReturnType<typeof openAccountDoor>

export function openAccountDoor({
  em,
  attempts,
  deviceKey,
  ceilings,
  signUpIsOpen,
  forgetAccounts,
  log,
}: {
  readonly em: () => EntityManager
  readonly attempts: Attempts
  /** Makes the tokens of browsers that are known. */
  readonly deviceKey: Buffer
  readonly ceilings: Ceilings
  readonly signUpIsOpen: boolean
  /** Clears this server's cache of callers and teams. */
  readonly forgetAccounts: () => void
  readonly log: Log
}) {
  const passwords = createPasswordHashes(ceilings)
  const devices = knownDevices(deviceKey)
  const withParts =
    <Given, Result>(verb: (parts: SigningIn, given: Given) => Result) =>
    (given: Given): Result =>
      verb({ em: em(), passwords, attempts, devices, log }, given)
  return Object.freeze({
    signIn: withParts(signIn),
    /** Whether `signUp` may succeed. */
    signUpIsOpen,
    signUp: withParts((parts, given: SignUp) => signUp({ ...parts, isOpen: signUpIsOpen }, given)),
    signUpInvited: withParts(signUpInvited),
    changePassword: withParts(changePassword),
    /** @throws not_found, rate_limited */
    readInvitation: ({ token, address }: GivenLink) =>
      orWrongLink({ attempts }, address, readInvitation(em(), token)),
    /** @throws not_found */
    acceptInvitation: async (userId: string, { token, address }: GivenLink): Promise<void> => {
      const membershipId = await acceptInvitation(em(), userId, token)
      forgetAccounts()
      log.info({ user_id: userId, membership_id: membershipId, address }, 'account.invitation_accepted')
    },
    /** @throws not_found, rate_limited */
    readPasswordReset: ({ token, address }: GivenLink) =>
      orWrongLink({ attempts }, address, readPasswordReset(em(), token)),
    choosePassword: withParts(choosePassword),
  })
}
