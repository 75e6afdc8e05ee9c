// Changes the role of a member, or the role that an invitation gives.
import './teams.css'
import { useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { ActButton } from '../ui/form/act_button.tsx'
import { type Membership, membershipPath, roleChange } from './membership.ts'
import { isRole, mayGive, type Role, type Team } from './team.ts'

type RoleChoiceProps = {
  readonly team: Team
  readonly membership: Membership
  readonly onChanged: () => void
}

/** A choice alone changes nothing, because the arrow keys pass over the other roles. */
export const RoleChoice = ({ team, membership, onChanged }: RoleChoiceProps) => {
  const { api } = useConsole()
  const [chosen, setChosen] = useState<Role | null>(null)
  const role = chosen ?? membership.role
  const who = membership.invitedEmail ?? membership.name
  const save = async (signal: AbortSignal): Promise<void> => {
    await api.patch(membershipPath(membership.id), roleChange(membership.id, role), signal)
    // Another one may have been chosen meanwhile.
    setChosen((now) => (now === role ? null : now))
    onChanged()
  }
  return (
    <div className="member-role">
      <select
        aria-label={`Role of ${who === '' ? 'the member' : who}`}
        data-testid="member-role"
        value={role}
        onChange={({ target }) => isRole(target.value) && setChosen(target.value)}
      >
        {mayGive(team.role).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {role !== membership.role && (
        <ActButton caption="Save" running="Saving…" testId="save-role" act={save} />
      )}
    </div>
  )
}
