// The fields that all items of a draft have in common. The problem of each is shown below it.
import { type ReactNode, useId } from 'react'
import { Choice } from '../ui/choice.tsx'
import type { Draft } from './draft.ts'

type DraftFieldsProps = {
  readonly draft: Draft
  readonly problems: ReadonlyMap<string, string>
  readonly onChange: (change: Partial<Draft>) => void
}

export const DraftFields = ({ draft, problems, onChange }: DraftFieldsProps) => {
  const isClaim = draft.way === 'text' && draft.textAs === 'claim'
  const forEach = draft.way === 'files' && draft.files.length > 1 ? ', the same for each' : ''
  return (
    <div className="form-grid">
      {!isClaim && (
        <>
          <DraftField
            name="description"
            label="Description"
            note={`Optional${forEach}.`}
            problem={problems.get('description')}
          >
            {(attributes) => (
              <textarea
                {...attributes}
                rows={2}
                value={draft.description}
                onChange={({ target }) => onChange({ description: target.value })}
              />
            )}
          </DraftField>
          <DraftField
            name="url"
            label="Web address"
            note={`Optional${forEach}. It begins with https.`}
            problem={problems.get('url')}
          >
            {(attributes) => (
              <input
                {...attributes}
                type="url"
                value={draft.url}
                onChange={({ target }) => onChange({ url: target.value })}
                placeholder="https://"
                autoComplete="off"
              />
            )}
          </DraftField>
        </>
      )}
      <DraftField
        name="tags"
        label="Tags"
        note="Optional, separated by commas. They are not part of what is hashed."
        problem={problems.get('tags')}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            value={draft.tags}
            onChange={({ target }) => onChange({ tags: target.value })}
            autoComplete="off"
          />
        )}
      </DraftField>
      <Choice
        label="Who may read it"
        note={audiences[draft.visibility]}
        options={{ private: 'Only me', team: 'My team', public: 'Everybody' }}
        value={draft.visibility}
        onChange={(visibility) => onChange({ visibility })}
      />
    </div>
  )
}

const audiences: Readonly<Record<Draft['visibility'], string>> = {
  private: 'You alone, and in a team that keeps its items, its owners and admins.',
  team: 'The members of your team.',
  public: 'Anybody with an account at this service.',
}

type FieldAttributes = {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string
  readonly 'data-testid': string
}

type DraftFieldProps = {
  readonly name: string
  readonly label: string
  readonly note?: string
  readonly problem: string | undefined
  readonly children: (attributes: FieldAttributes) => ReactNode
}

export const DraftField = ({ name, label, note, problem, children }: DraftFieldProps) => {
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
