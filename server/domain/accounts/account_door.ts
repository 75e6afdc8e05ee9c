// Everything that people do with accounts on the sign-in pages: the verbs with their collaborators.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Ceilings } from '../../kernel/ceilings.ts'
import type { Log } from '../../kernel/log.ts'
import type { Attempts } from './attempt.ts'
import { type ChangePassword, changePassword } from './change_password.ts'
import { type SignUp, signUp, signUpInvited } from './create_account.ts'
import { acceptInvitation, type OpenInvitation, readInvitation } from './invite_member.ts'
import { orWrongLink } from './one_time_link.ts'
import { createPasswordHashes } from './password_hashes.ts'
import { type ChoosePassword, choosePassword, type OpenReset, readPasswordReset } from './password_reset.ts'
import { knownDevices, type Proven, type SignIn, signIn } from './sign_in.ts'

/** A token that was posted, and the client's address key that its try is charged to when there is no such link. */
interface GivenLink {
  readonly token: string
  readonly address: string
}

export interface AccountDoor {
  /** @throws unauthorized, rate_limited, overloaded */
  readonly signIn: (given: SignIn) => Promise<Proven>
  /** Whether `signUp` may succeed. */
  readonly signUpIsOpen: boolean
  /** @throws as `create_account.ts` says */
  readonly signUp: (given: SignUp) => Promise<Proven>
  /** @throws as `create_account.ts` says */
  readonly signUpInvited: (given: Omit<SignUp, 'email'> & GivenLink) => Promise<Proven>
  /** @throws as `change_password.ts` says */
  readonly changePassword: (given: ChangePassword) => Promise<Date>
  /** @throws not_found, rate_limited */
  readonly readInvitation: (given: GivenLink) => Promise<OpenInvitation>
  /** @throws not_found */
  readonly acceptInvitation: (userId: string, given: GivenLink) => Promise<void>
  /** @throws not_found, rate_limited */
  readonly readPasswordReset: (given: GivenLink) => Promise<OpenReset>
  /** @throws as `password_reset.ts` says */
  readonly choosePassword: (given: ChoosePassword) => Promise<void>
}

interface AccountDoorParts {
  readonly em: () => EntityManager
  readonly attempts: Attempts
  /** Makes the tokens of browsers that are known. */
  readonly deviceKey: Buffer
  readonly ceilings: Ceilings
  readonly signUpIsOpen: boolean
  /** Clears this server's cache of callers and teams. */
  readonly forgetAccounts: () => void
  readonly log: Log
}

export function openAccountDoor({
  em,
  attempts,
  deviceKey,
  ceilings,
  signUpIsOpen,
  forgetAccounts,
  log,
}: AccountDoorParts): AccountDoor {
  const passwords = createPasswordHashes(ceilings)
  const devices = knownDevices(deviceKey)
  const parts = () => ({ em: em(), passwords, attempts, devices, log })
  return Object.freeze({
    signIn: (given: SignIn) => signIn(parts(), given),
    signUpIsOpen,
    signUp: (given: SignUp) => signUp({ ...parts(), isOpen: signUpIsOpen }, given),
    signUpInvited: (given: Omit<SignUp, 'email'> & GivenLink) => signUpInvited(parts(), given),
    changePassword: (given: ChangePassword) => changePassword(parts(), given),
    readInvitation: ({ token, address }: GivenLink) =>
      orWrongLink({ attempts }, address, readInvitation(em(), token)),
    acceptInvitation: async (userId: string, { token, address }: GivenLink) => {
      const membershipId = await acceptInvitation(em(), userId, token)
      forgetAccounts()
      log.info({ user_id: userId, membership_id: membershipId, address }, 'account.invitation_accepted')
    },
    readPasswordReset: ({ token, address }: GivenLink) =>
      orWrongLink({ attempts }, address, readPasswordReset(em(), token)),
    choosePassword: (given: ChoosePassword) => choosePassword(parts(), given),
  })
}
