// The fields of a new item. The problem of each field is shown below it.
import { type ReactNode, useId } from 'react'
import { Choice } from '../ui/choice.tsx'
import type { Draft } from './draft.ts'

type DraftFieldsProps = {
  readonly draft: Draft
  readonly problems: ReadonlyMap<string, string>
  readonly onChange: (change: Partial<Draft>) => void
}

export const DraftFields = ({ draft, problems, onChange }: DraftFieldsProps) => (
  <div className="form-grid">
    <Field name="name" label="Name" problem={problems.get('name')}>
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
          autoComplete="off"
        />
      )}
    </Field>
    <Field
      name="description"
      label="Description"
      note="Optional with a file. Without one it is the claim: at least 32 characters."
      problem={problems.get('description')}
    >
      {(attributes) => (
        <textarea
          {...attributes}
          rows={4}
          value={draft.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      )}
    </Field>
    <Field name="url" label="Address" note="Optional, https." problem={problems.get('url')}>
      {(attributes) => (
        <input
          {...attributes}
          type="url"
          value={draft.url}
          onChange={(event) => onChange({ url: event.target.value })}
          placeholder="https://"
          autoComplete="off"
        />
      )}
    </Field>
    <Field
      name="tags"
      label="Tags"
      note="Optional, apart by commas; never hashed."
      problem={problems.get('tags')}
    >
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          value={draft.tags}
          onChange={(event) => onChange({ tags: event.target.value })}
          autoComplete="off"
        />
      )}
    </Field>
    <Choice
      label="Who may read it"
      note={audiences[draft.visibility]}
      options={{ private: 'Only me', team: 'My team', public: 'Everybody' }}
      value={draft.visibility}
      onChange={(visibility) => onChange({ visibility })}
    />
  </div>
)

const audiences: Readonly<Record<Draft['visibility'], string>> = {
  private: 'You alone.',
  team: 'The members of your team.',
  public: 'Anybody with an account at this service.',
}

type FieldAttributes = {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string
  readonly 'data-testid': string
}

type FieldProps = {
  readonly name: string
  readonly label: string
  readonly note?: string
  readonly problem: string | undefined
  readonly children: (attributes: FieldAttributes) => ReactNode
}

const Field = ({ name, label, note, problem, children }: FieldProps) => {
  const id = useId()
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem !== undefined,
        'aria-describedby': `${id}-note`,
        'data-testid': `field-${name}`,
      })}
      <small id={`${id}-note`} className={problem === undefined ? undefined : 'problem'}>
        {problem ?? note}
      </small>
    </div>
  )
}
