// The terms of a draw: from what, how many, under which label.
import './draw.css'
import { Choice } from '../ui/choice.tsx'
import { FileDrop } from '../ui/file_drop.tsx'
import { FormField } from '../ui/form_field.tsx'
import { count } from '../ui/format_count.ts'
import { type DrawDraft, readDrawFile } from './draw_terms.ts'
import { LIST_CEILINGS } from './participants.ts'
import type { Draw } from './use_draw.ts'

type DrawFormProps = {
  readonly draw: Draw
  /** A file that names a whole draw was given. */
  readonly onFile: (file: { draft: DrawDraft; at: string | null; beacon: string | null }) => void
}

const FROM = { numbers: 'Numbers', list: 'A list' } as const

export const DrawForm = ({ draw: { draft, change, list }, onFile }: DrawFormProps) => {
  const fromFile = async (file: File): Promise<void> => {
    const text = await file.slice(0, LIST_CEILINGS.bytes + 1).text()
    const read = readDrawFile(text)
    if (read === null) change({ names: text })
    else onFile(read)
  }
  return (
    <>
      <Choice
        label="Draw from"
        options={FROM}
        value={draft.names === null ? 'numbers' : 'list'}
        onChange={(from) => change(from === 'numbers' ? { names: null, list: null } : { names: '' })}
      />
      {draft.names === null ? (
        <TermField
          label="How many take part"
          note="They are the numbers from 1 up to this one."
          value={draft.n}
          testId="draw-n"
          numeric
          onChange={(n) => change({ n })}
        />
      ) : (
        <FormField
          label="Participants, one on each line"
          note={
            list === null
              ? 'The list stays in this browser.'
              : `${count(list.names.length)} take part${repeatedWords(list.repeated)}. The list stays in this browser.`
          }
        >
          {(attributes) => (
            <textarea
              {...attributes}
              rows={7}
              spellCheck={false}
              value={draft.names ?? ''}
              data-testid="draw-names"
              onChange={(event) => change({ names: event.target.value })}
            />
          )}
        </FormField>
      )}
      <FileDrop
        quiet
        caption={draft.names === null ? 'Open a list or a saved draw' : 'Take the list from a file'}
        testId="draw-file"
        onFile={(file) => void fromFile(file)}
      />
      <TermField
        label="How many are drawn"
        value={draft.k}
        testId="draw-k"
        numeric
        onChange={(k) => change({ k })}
      />
      <TermField
        label="Label"
        note="What this draw is for, e.g. “Raffle 2027, first prize”. Draws of other labels have other winners."
        value={draft.label}
        testId="draw-label"
        onChange={(label) => change({ label })}
      />
    </>
  )
}

type TermFieldProps = {
  readonly label: string
  readonly note?: string
  readonly value: string
  readonly testId: string
  readonly numeric?: boolean
  readonly onChange: (value: string) => void
}

const TermField = ({ label, note, value, testId, numeric, onChange }: TermFieldProps) => (
  <FormField label={label} note={note}>
    {(attributes) => (
      <input
        {...attributes}
        type="text"
        inputMode={numeric === true ? 'numeric' : undefined}
        autoComplete="off"
        value={value}
        data-testid={testId}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </FormField>
)

const repeatedWords = (repeated: number): string =>
  repeated === 0 ? '' : `; ${count(repeated)} lines repeat another one, and each of them counts`
