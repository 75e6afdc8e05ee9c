// The fields of a draft: a text with what is submitted of it, and what all items may have besides.
import { CLAIMS_BOUNDS, TELLING } from '../../../shared/proof/claims.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/form/choice.tsx'
import { AreaField, InputField } from '../ui/form/form_field.tsx'
import { count, fileSize } from '../ui/format.ts'
import { saveFile } from '../ui/save_file.ts'
import { type Draft, LONGEST_TEXT } from './draft.ts'
import type { DraftPartProps } from './file_entries.tsx'

type TextName = 'name' | 'text' | 'description' | 'url' | 'tags'

/** What the field of a text of the draft is given. */
const fieldOf = ({ items: { draft, change }, problems }: DraftPartProps, name: TextName) => ({
  value: draft[name],
  problem: problems.get(name),
  testId: `field-${name}`,
  onText: (text: string): void => change({ [name]: text }),
})

export const DraftFields = (parts: DraftPartProps) => {
  const { draft } = parts.items
  const isClaim = draft.way === 'text' && draft.textAs === 'claim'
  const forEach = draft.way === 'files' && draft.files.length > 1 ? ', the same for each' : ''
  return (
    <div className="form-grid">
      {!isClaim && (
        <>
          <AreaField
            label="Description"
            note={`Optional${forEach}.`}
            rows={2}
            {...fieldOf(parts, 'description')}
          />
          <InputField
            label="Web address"
            note={`Optional${forEach}. It begins with https.`}
            type="url"
            placeholder="https://"
            {...fieldOf(parts, 'url')}
          />
        </>
      )}
      <InputField
        label="Tags"
        note="Optional, separated by commas. They are not part of what is hashed."
        {...fieldOf(parts, 'tags')}
      />
    </div>
  )
}

export const AUDIENCE_NOTES: Readonly<Record<Draft['visibility'], string>> = {
  private: 'You, and the owners and admins of a team that keeps its members’ items.',
  team: 'The members of your team.',
  public: 'Anybody with an account at this service.',
}

export const TextEntry = (parts: DraftPartProps) => {
  const { draft, change } = parts.items
  const { text, textAs, name } = draft
  const bytes = new TextEncoder().encode(text)
  return (
    <div className="form-grid">
      <InputField label="Name" {...fieldOf(parts, 'name')} />
      <Choice
        label="What is submitted"
        note={
          textAs === 'digest'
            ? 'The text stays here. Keep it to the byte: only the very same text shows later what was meant.'
            : 'The text itself is sent, stored and shown to whoever may read the item.'
        }
        options={{ digest: 'Only its digest', claim: 'The text itself' }}
        value={textAs}
        onChange={(next) => change({ textAs: next })}
      />
      <AreaField
        label="Text"
        note={
          textAs === 'digest'
            ? `${fileSize(bytes.length)} in UTF-8, hashed exactly as it is, line breaks as one line feed.`
            : `${count([...text.trim()].length)} of ${TELLING} to ${CLAIMS_BOUNDS.description.maximum} characters.`
        }
        rows={7}
        maxLength={LONGEST_TEXT}
        {...fieldOf(parts, 'text')}
      />
      {textAs === 'digest' && text !== '' && (
        <Button
          data-testid="save-text"
          onClick={() =>
            saveFile(new File([bytes], `${name.trim().replace(/[^\p{L}\p{N} ._-]+/gu, '_') || 'text'}.txt`))
          }
        >
          Save the text as a file
        </Button>
      )}
    </div>
  )
}
