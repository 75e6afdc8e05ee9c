// Whose items an endpoint reports: everything that its owner submits, or the items of one of the owner's
// teams.
import { pageOf } from '../data/resource.ts'
import { shape, text } from '../data/shape.ts'
import { useDocument } from '../data/use_document.ts'
import { FormField } from '../ui/form/form_field.tsx'

type TeamFieldProps = {
  readonly chosen: string | null
  readonly problem: string | undefined
  readonly onChange: (teamId: string | null) => void
}

export const TeamField = ({ chosen, problem, onChange }: TeamFieldProps) => {
  const loaded = useDocument('/api/json/teams?page[limit]=250', { read: readTeams })
  const teams = loaded.kind === 'found' ? loaded.value.rows : []
  const gone = chosen !== null && loaded.kind === 'found' && !teams.some(({ id }) => id === chosen)
  return (
    <FormField
      label="Whose items"
      problem={problem}
      note={gone ? 'You do not belong to this team any more, so nothing of it is delivered.' : undefined}
    >
      {(field) => (
        <select
          {...field}
          data-testid="team"
          value={chosen ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        >
          <option value="">Everything that I submit</option>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              Items of {name}
            </option>
          ))}
          {chosen !== null && !teams.some(({ id }) => id === chosen) && (
            <option value={chosen}>Team {chosen}</option>
          )}
        </select>
      )}
    </FormField>
  )
}

const readTeams = pageOf(shape({ id: text, name: text }))
