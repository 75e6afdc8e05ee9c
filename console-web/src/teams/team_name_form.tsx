// Names a new team, or gives one another name.
import { useLocation } from 'wouter'
import { bodyOf } from '../data/resource.ts'
import { fieldRefusal, useSentForm } from '../data/use_sent_form.ts'
import { InputField } from '../ui/form/form_field.tsx'
import { SentForm } from '../ui/form/sent_form.tsx'
import { type Team, teams } from './team.ts'

const NAME_LENGTH = 100

/** `team` is null for a new one, whose page is shown then. */
export const TeamNameForm = ({ team }: { team: Team | null }) => {
  const [, navigate] = useLocation()
  const form = useSentForm({ name: team?.name ?? '' }, UNSURE, ({ name }) => {
    const attributes = { name: name.trim() }
    if (attributes.name === '') return fieldRefusal('name', 'A team needs a name.')
    return async ({ api }) => {
      if (team !== null) {
        await api.patch(teams.at(team.id), bodyOf('team', attributes, team.id))
      } else {
        const made = await api.post(teams.path, bodyOf('team', attributes))
        navigate(`/account/teams/${teams.readOne(made).id}`)
      }
    }
  })
  return (
    <SentForm
      form={form}
      className="card"
      caption={team === null ? 'Create the team' : 'Rename'}
      running="Saving…"
      testId="save-team"
      look={team === null ? 'primary' : 'plain'}
      outcome={form.isDone && 'Saved.'}
    >
      <h2>{team === null ? 'New team' : 'Name'}</h2>
      <InputField
        label={team === null ? 'Name' : 'Name of the team'}
        note={team === null ? 'You become its owner, and can invite others.' : undefined}
        testId="team-name"
        maxLength={NAME_LENGTH}
        {...form.field('name')}
      />
    </SentForm>
  )
}

const UNSURE =
  'No readable answer came, so it is not known whether the name was saved. Look at your teams first.'
