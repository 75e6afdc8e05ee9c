// Everything that people do with accounts on the sign-in pages: the verbs with their collaborators.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Ceilings } from '../../kernel/ceilings.ts'
import type { Log } from '../../kernel/log.ts'
import { type SignUp, signUp, signUpInvited } from './create_account.ts'
import { acceptInvitation, readInvitation } from './invite_member.ts'
import {
  type ChangePassword,
  type ChoosePassword,
  changePassword,
  choosePassword,
  readPasswordReset,
} from './new_password.ts'
import { orWrongLink } from './one_time_link.ts'
import { createPasswordHashes } from './password.ts'
import { type Attempts, knownDevices, type SignIn, signIn } from './sign_in.ts'

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
  const parts = () => ({ em: em(), passwords, attempts, devices, log })
  return Object.freeze({
    signIn: (given: SignIn) => signIn(parts(), given),
    /** Whether `signUp` may succeed. */
    signUpIsOpen,
    signUp: (given: SignUp) => signUp({ ...parts(), isOpen: signUpIsOpen }, given),
    signUpInvited: (given: Omit<SignUp, 'email'> & GivenLink) => signUpInvited(parts(), given),
    changePassword: (given: ChangePassword) => changePassword(parts(), given),
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
    choosePassword: (given: ChoosePassword) => choosePassword(parts(), given),
  })
}
