// The form of new items: what they are about, who may read them, and one button; everything else is one step deeper. Beside
// it what leaves the browser, to the letter, before it leaves.
import { HASH_TYPE_OPTIONS } from '../hashing/use_file_hash.ts'
import './items.css'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/form/choice.tsx'
import { FilesDrop } from '../ui/form/file_drop.tsx'
import { SelectField, useInvalidFocus } from '../ui/form/form_field.tsx'
import { count } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { Card } from '../ui/section.tsx'
import { shownText } from '../ui/shown_text.tsx'
import { type Draft, draftProblems, type Entry, entriesOf } from './draft.ts'
import { AUDIENCE_NOTES, DraftFields, TextEntry } from './draft_fields.tsx'
import { FileEntries, isWanted } from './file_entries.tsx'
import type { NewItems } from './use_new_items.ts'

type NewItemsFormProps = {
  readonly items: NewItems
  /** On a page of its own it also takes texts, and has an area for more files. */
  readonly isWhole: boolean
  /** Forgets the draft. */
  readonly onClear: () => void
}

export const NewItemsForm = ({ items, isWhole, onClear }: NewItemsFormProps) => {
  const { draft, change } = items
  // Another number for each attempt.
  const [tried, setTried] = useState(0)
  const problems = draftProblems(draft)
  const entries = entriesOf(draft)
  const [isFilled] = useState(DEEPER.some((name) => draft[name] !== ''))
  const shown = tried > 0 ? problems : NO_PROBLEMS
  const form = useInvalidFocus(tried)
  const isHashing = draft.way === 'files' && draft.files.some(isWanted)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(tried + 1)
    if (problems.size === 0) items.submit()
  }
  return (
    <form className="side-by-side" data-wide="left" onSubmit={submit} noValidate ref={form}>
      <div className="card form-grid">
        {isWhole && (
          <Choice
            label="About"
            options={{ files: 'Files', text: 'A text' }}
            value={draft.way}
            onChange={(way) => change({ way })}
          />
        )}
        {draft.files.length > 0 && (
          // Also hashed while it is not shown.
          <div hidden={draft.way !== 'files'}>
            <FileEntries items={items} problems={shown} />
          </div>
        )}
        {draft.way === 'files' ? (
          <>
            {isWhole && <FilesDrop onFiles={items.addFiles} />}
            {items.found !== null && (
              <p className="notice" role="status">
                {items.found}
              </p>
            )}
            <Problem>{shown.get('files')}</Problem>
          </>
        ) : (
          <TextEntry items={items} problems={shown} />
        )}
        <Choice
          label="Who may read it"
          note={AUDIENCE_NOTES[draft.visibility]}
          options={{ private: 'Only me', team: 'My team', public: 'Everybody' }}
          value={draft.visibility}
          onChange={(visibility) => change({ visibility })}
        />
        <details className="fold" open={isFilled || DEEPER.some((name) => shown.has(name)) || undefined}>
          <summary>More about it</summary>
          <DraftFields items={items} problems={shown} />
          {(draft.way === 'files' || draft.textAs === 'digest') && (
            <SelectField
              label="Hashed with"
              testId="hash-type"
              value={draft.hashType}
              options={HASH_TYPE_OPTIONS}
              onChoose={items.setType}
            />
          )}
        </details>
        <div className="acts main">
          <Button type="submit" look="primary" data-testid="submit-item" disabled={isHashing}>
            {isHashing
              ? 'Hashing…'
              : entries.length > 1
                ? `Timestamp ${count(entries.length)} files`
                : 'Timestamp'}
          </Button>
          <Button data-testid="forget-draft" onClick={onClear}>
            Clear
          </Button>
        </div>
        <Problem>
          {tried > 0 && problems.size > 0 && 'Something is missing. It is said where it belongs.'}
        </Problem>
      </div>
      <Outgoing draft={draft} entries={entries} />
    </form>
  )
}

/** The fields that are folded away. */
const DEEPER = ['description', 'url', 'tags'] as const

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map()

/** From the press on until there is an answer. */
export const Unanswered = ({ items }: { items: NewItems }) => (
  <div className="unanswered stack">
    {items.failure === null ? (
      <progress aria-label="Handing in" />
    ) : (
      <>
        <Problem testId="submit-failure">{items.failure}</Problem>
        <div className="acts">
          <Button look="primary" onClick={items.submit}>
            Send again
          </Button>
          <Button onClick={items.giveUp}>Change the draft</Button>
        </div>
      </>
    )}
  </div>
)

type OutgoingProps = { readonly draft: Draft; readonly entries: readonly Entry[] }

const Outgoing = ({ draft, entries }: OutgoingProps) => {
  const [first] = entries
  return (
    <Card title="What leaves this browser" data-testid="outgoing">
      <p className="card-note">{wordsFor(draft, entries.length)}</p>
      {first !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is scrolled by the keyboard too
        <section className="snippet outgoing-claims" tabIndex={0} aria-label="What is sent">
          <pre>
            <code>{shownText(JSON.stringify(first, null, 2))}</code>
          </pre>
        </section>
      )}
      {entries.length > 1 && (
        <p className="card-note">
          And {count(entries.length - 1)} more like it, each with its own name and digest, as listed.
        </p>
      )}
    </Card>
  )
}

const wordsFor = ({ way, textAs }: Draft, entries: number): string => {
  if (entries === 0) return 'Nothing yet.'
  if (way === 'text' && textAs === 'claim') return 'The text and these lines, and nothing else.'
  const stays =
    way === 'text' ? 'The text stays here.' : entries === 1 ? 'The file stays here.' : 'The files stay here.'
  return `Only these lines. ${stays} The claims are hashed as they are and cannot be changed afterwards.`
}
