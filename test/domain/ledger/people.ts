// More accounts and teams than the one a test ledger begins with.
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import type { Role, Team } from '../../../server/domain/accounts/team.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import type { TestLedger } from '../../support/ledger.ts'
import { rows } from '../../support/rows.ts'

/** A user id. */
export async function newUser({ store }: TestLedger): Promise<string> {
  const email = `${newUuid7()}@example.com`
  const { userId } = await createAccount(store.em(), { email, firstName: 'Somebody', plan: 'developer' })
  return userId
}

/** A team id. */
export async function newTeam(
  { store }: TestLedger,
  ownershipModel: Team['ownershipModel'],
  members: Readonly<Record<string, Role>>,
): Promise<string> {
  const id = newUuid7()
  const em = store.em()
  await rows(em, 'INSERT INTO teams (id, name, ownership_model) VALUES ($1, $2, $3)', [
    id,
    'Team',
    ownershipModel,
  ])
  for (const [userId, role] of Object.entries(members))
    await rows(em, 'INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, $4)', [
      newUuid7(),
      id,
      userId,
      role,
    ])
  return id
}
