// A text as an item: whether its digest is submitted or the text itself, and what that means.
import './items.css'
import { CLAIMS_BOUNDS, TELLING } from '../../../shared/proof/claims.ts'
import { Choice } from '../ui/choice.tsx'
import { count } from '../ui/format_count.ts'
import { fileSize } from '../ui/format_size.ts'
import { saveFile } from '../ui/save_file.ts'
import { type Draft, LONGEST_TEXT } from './draft.ts'
import { DraftField } from './draft_fields.tsx'

type TextEntryProps = {
  readonly draft: Draft
  readonly problems: ReadonlyMap<string, string>
  readonly onChange: (change: Partial<Draft>) => void
}

export const TextEntry = ({ draft, problems, onChange }: TextEntryProps) => {
  const { text, textAs, name } = draft
  const bytes = new TextEncoder().encode(text)
  return (
    <div className="form-grid">
      <DraftField name="name" label="Name" problem={problems.get('name')}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            value={name}
            onChange={({ target }) => onChange({ name: target.value })}
            autoComplete="off"
          />
        )}
      </DraftField>
      <Choice
        label="What is submitted"
        note={
          textAs === 'digest'
            ? 'The text stays here. Keep it to the byte: only the very same text shows later what was meant.'
            : 'The text itself is sent, stored and shown to whoever may read the item.'
        }
        options={{ digest: 'Only its digest', claim: 'The text itself' }}
        value={textAs}
        onChange={(next) => onChange({ textAs: next })}
      />
      <DraftField
        name="text"
        label="Text"
        note={
          textAs === 'digest'
            ? `${fileSize(bytes.length)} in UTF-8, hashed exactly as it is, line breaks as one line feed.`
            : `${count([...text.trim()].length)} of ${TELLING} to ${CLAIMS_BOUNDS.description.maximum} characters.`
        }
        problem={problems.get('text')}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            rows={7}
            maxLength={LONGEST_TEXT}
            value={text}
            onChange={({ target }) => onChange({ text: target.value })}
          />
        )}
      </DraftField>
      {textAs === 'digest' && text !== '' && (
        <button
          type="button"
          className="button save-text"
          data-testid="save-text"
          onClick={() =>
            saveFile({ name: `${name.trim().replace(/[^\p{L}\p{N} ._-]+/gu, '_') || 'text'}.txt`, bytes })
          }
        >
          Save the text as a file
        </button>
      )}
    </div>
  )
}
