// Names a new team, or gives one another name.
import './teams.css'
import { type FormEvent, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { fieldRefusal } from '../data/refused_fields.ts'
import { useSentForm } from '../data/use_sent_form.ts'
import { FormFoot, InputField, useInvalidFocus } from '../ui/form/form_field.tsx'
import { readTeamDocument, TEAMS_PATH, type Team, teamPath } from './team.ts'

type TeamNameFormProps = {
  /** Null for a new team. */
  readonly team: Team | null
  readonly onSaved: (team: Team) => void
}

const NAME_LENGTH = 100

export const TeamNameForm = ({ team, onSaved }: TeamNameFormProps) => {
  const { api } = useConsole()
  const { sending, refused, whole, problem, refuse, send, clear } = useSentForm(['name'], UNSURE)
  const form = useInvalidFocus(refused)
  const [name, setName] = useState(team?.name ?? '')
  const [saved, setSaved] = useState(false)
  const save = async (signal: AbortSignal): Promise<void> => {
    const attributes = { name: name.trim() }
    const answer =
      team === null
        ? await api.post(TEAMS_PATH, { data: { type: 'team', attributes } }, { signal })
        : await api.patch(teamPath(team.id), { data: { type: 'team', id: team.id, attributes } }, signal)
    setSaved(true)
    onSaved(readTeamDocument(answer))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setSaved(false)
    if (name.trim() === '') refuse(fieldRefusal('name', 'A team needs a name.'))
    else send(save)
  }
  return (
    <form ref={form} className="card form-grid" onSubmit={submit} noValidate autoComplete="off">
      <h2>{team === null ? 'New team' : 'Name'}</h2>
      <InputField
        label={team === null ? 'Name' : 'Name of the team'}
        problem={problem('name')}
        note={team === null ? 'You become its owner, and can invite others.' : undefined}
        testId="team-name"
        value={name}
        maxLength={NAME_LENGTH}
        onText={(text) => {
          setSaved(false)
          clear()
          setName(text)
        }}
      />
      <FormFoot
        caption={team === null ? 'Create the team' : 'Rename'}
        running="Saving…"
        isRunning={sending}
        testId="save-team"
        look={team === null ? 'primary' : 'plain'}
        outcome={saved && 'Saved.'}
        problem={whole}
      />
    </form>
  )
}

const UNSURE =
  'No readable answer came, so it is not known whether the name was saved. Look at your teams first.'
