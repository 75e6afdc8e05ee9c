// Names a new team, or gives one another name.
import './teams.css'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { fieldRefusal, NO_REFUSAL, refusedFields } from '../data/refused_fields.ts'
import { useAsked } from '../data/use_asked.ts'
import { FormField } from '../ui/form_field.tsx'
import { useInvalidFocus } from '../ui/use_invalid_focus.ts'
import { readTeamDocument, TEAMS_PATH, type Team, teamPath } from './team.ts'

type TeamNameFormProps = {
  /** Null for a new team. */
  readonly team: Team | null
  readonly onSaved: (team: Team) => void
}

const NAME_LENGTH = 100

export const TeamNameForm = ({ team, onSaved }: TeamNameFormProps) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const [name, setName] = useState(team?.name ?? '')
  const [refused, setRefused] = useState(NO_REFUSAL)
  const form = useInvalidFocus(refused)
  const [saved, setSaved] = useState(false)
  const save = async (signal: AbortSignal): Promise<void> => {
    const attributes = { name: name.trim() }
    try {
      const answer =
        team === null
          ? await api.post(TEAMS_PATH, { data: { type: 'team', attributes } }, { signal })
          : await api.patch(teamPath(team.id), { data: { type: 'team', id: team.id, attributes } }, signal)
      setSaved(true)
      onSaved(readTeamDocument(answer))
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      setRefused(refusedFields(error, ['name']))
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setSaved(false)
    setRefused(name.trim() === '' ? fieldRefusal('name', 'A team needs a name.') : NO_REFUSAL)
    if (name.trim() !== '') ask(save)
  }
  return (
    <form ref={form} className="card form-grid" onSubmit={submit} noValidate autoComplete="off">
      <h2>{team === null ? 'New team' : 'Name'}</h2>
      <FormField
        label={team === null ? 'Name' : 'Name of the team'}
        problem={refused.fields.get('name')}
        note={team === null ? 'You become its owner, and can invite others.' : undefined}
      >
        {(field) => (
          <input
            {...field}
            data-testid="team-name"
            value={name}
            maxLength={NAME_LENGTH}
            onChange={({ target }) => {
              setSaved(false)
              setRefused(NO_REFUSAL)
              setName(target.value)
            }}
          />
        )}
      </FormField>
      <div className="form-foot">
        <button
          type="submit"
          className={team === null ? 'button primary' : 'button'}
          data-testid="save-team"
          disabled={state.kind === 'asking'}
        >
          {state.kind === 'asking' ? 'Saving…' : team === null ? 'Create the team' : 'Rename'}
        </button>
        <p role="status">{saved && 'Saved.'}</p>
      </div>
      {(refused.whole !== null || state.kind === 'failed') && (
        <p className="problem" role="alert" data-testid="form-problem">
          {refused.whole ?? (state.kind === 'failed' && state.why)}
        </p>
      )}
    </form>
  )
}
