// The filter of the list of items: a field to search in, a local file of which only the digest is looked for, the other
// choices, and what is chosen, to be cleared one by one. The address holds the filter, so that a list can be shared.
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'wouter'
import type { HashType } from '../../../shared/proof/claims.ts'
import { givenFiles } from '../data/given_files.ts'
import { FileHashLine } from '../hashing/file_hash_line.tsx'
import { HASH_TYPE_OPTIONS, useFileHash } from '../hashing/use_file_hash.ts'
import { useWindowDrop } from '../hashing/window_drop.tsx'
import { Button } from '../ui/button.tsx'
import { FileDrop } from '../ui/form/file_drop.tsx'
import { FilterChoice, FilterMinute, FilterText } from '../ui/form/filter_fields.tsx'
import { SelectField } from '../ui/form/form_field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Card } from '../ui/section.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import { AUDIENCES } from './item.ts'
import { addressOf, digestIn, type ItemFilter, idIn, NO_FILTER, STATES, stateWords } from './item_filter.ts'
import { readTyped } from './item_search.ts'

type ItemFilterBarProps = {
  readonly filter: ItemFilter
  /** `isTyped`: the change is one of many while somebody types. `isDone`: it is the last of them. */
  readonly onChange: (filter: ItemFilter, isTyped?: boolean, isDone?: boolean) => void
  readonly field: RefObject<HTMLInputElement | null>
}

/** What the filter was before this was typed, and the address of what it became. */
type Typed = { readonly text: string; readonly before: ItemFilter; readonly address: string }

export const ItemFilterBar = ({ filter, onChange, field }: ItemFilterBarProps) => {
  const [isOpen, setOpen] = useState(false)
  // Until the field is left it shows all that was typed, as long as the filter is the one that this says.
  const [typed, setTyped] = useState<Typed | null>(null)
  const isTyped = typed !== null && typed.address === addressOf(filter)
  const type = (text: string, isDone: boolean): void => {
    const before = isTyped ? typed.before : filter
    const next = { ...before, ...readTyped(text, Date.now()) }
    setTyped(isDone ? null : { text, before, address: addressOf(next) })
    onChange(next, true, isDone)
  }
  const narrow = (part: Partial<ItemFilter>): void => onChange({ ...filter, ...part })
  return (
    <search className="filters item-filter" aria-label="Narrow the list">
      <FilterText
        label="Part of a name, digest, id, tag:lease, since yesterday, before 2026-11-20"
        hint="Find items"
        field={field}
        value={isTyped ? typed.text : (filter.text ?? '')}
        testId="filter-text"
        onChange={type}
      />
      <button
        type="button"
        className="button item-filter-more"
        aria-expanded={isOpen}
        aria-controls="item-filter-fields"
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Fewer filters' : 'More filters'}
      </button>
      <div className="item-filter-fields" id="item-filter-fields" data-open={isOpen}>
        <FilterChoice
          label="State"
          any="any state"
          value={filter.state}
          options={STATES.map((one) => [one, stateWords(one)])}
          onChange={(state) => narrow({ state })}
        />
        <FilterChoice
          label="Visibility"
          any="any visibility"
          value={filter.visibility}
          options={AUDIENCES.map((one) => [one, one])}
          onChange={(visibility) => narrow({ visibility })}
        />
        <FilterText
          label="Tag"
          hint="any tag"
          value={filter.tag ?? ''}
          testId="filter-tag"
          onChange={(tag, isDone) => onChange({ ...filter, tag: tag || null }, true, isDone)}
        />
        <FilterMinute label="From" value={filter.from} onChange={(from) => narrow({ from })} />
        <FilterMinute label="To" value={filter.to} onChange={(to) => narrow({ to })} />
      </div>
      <Chips filter={filter} onChange={onChange} />
    </search>
  )
}

const Chips = ({ filter, onChange }: Pick<ItemFilterBarProps, 'filter' | 'onChange'>) => {
  const said = chipsOf(filter)
  if (said.length === 0) return null
  return (
    <ul className="item-chips line" data-testid="filter-chips">
      {said.map(({ words, cleared }) => (
        <li key={words}>
          <button
            type="button"
            className="chip"
            aria-label={`Clear: ${shownText(words)}`}
            onClick={() => onChange(cleared)}
          >
            <Shown text={words} />
            <Icon name="close" />
          </button>
        </li>
      ))}
      {said.length > 1 && (
        <li>
          <Button look="text" data-testid="clear-filter" onClick={() => onChange(NO_FILTER)}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  )
}

const chipsOf = (filter: ItemFilter): { readonly words: string; readonly cleared: ItemFilter }[] => {
  const { text, whole, state, visibility, tag, from, to } = filter
  const [id, digest] = [idIn(text ?? ''), digestIn(text ?? '')]
  const exact = id === null ? digest && `digest ${digest.slice(0, 12)}…` : `id ${id}`
  const textWords = exact ?? `name ${whole ? 'is' : 'has'} “${text}”`
  const said: readonly (readonly [words: string | null, cleared: Partial<ItemFilter>])[] = [
    [text && textWords, { text: null, whole: null }],
    [state && stateWords(state), { state: null }],
    [visibility, { visibility: null }],
    [tag && `tag ${tag}`, { tag: null }],
    [from && `from ${minuteWords(from)}`, { from: null }],
    [to && `to ${minuteWords(to)}`, { to: null }],
  ]
  return said.flatMap(([words, cleared]) =>
    words === null ? [] : [{ words, cleared: { ...filter, ...cleared } }],
  )
}

const minuteWords = (minute: string): string => `${minute.replace('T', ' ')} UTC`

/** `onDigest` gets an empty text when the file is removed. */
export const FindByFile = ({ onDigest }: { onDigest: (digest: string) => void }) => {
  const [file, setFile] = useState<File | null>(null)
  const [type, setType] = useState<HashType>('sha256')
  const state = useFileHash(file, [type])
  useWindowDrop({
    words: 'Find it among your items',
    note: 'Only its fingerprint is looked for.',
    take: ({ files: [one] }) => one !== undefined && setFile(one),
  })
  const hashed = state.kind === 'done' ? state.digests[0]?.hex : undefined
  const found = useEffectEvent(onDigest)
  useEffect(() => {
    if (hashed !== undefined) found(hashed)
  }, [hashed])
  return (
    <Card title="Find a file" className="find-file">
      <p className="card-note">
        Drop it anywhere on this page. It is hashed in this browser; only its digest is looked for.
      </p>
      {state.kind === 'none' ? (
        <FileDrop quiet caption="Choose the file" testId="find-file" onFile={setFile} />
      ) : (
        <FileHashLine
          state={state}
          onCancel={() => {
            setFile(null)
            onDigest('')
          }}
        />
      )}
      {file !== null && (
        <Link to="/" className="button" data-testid="stamp-it" onClick={() => givenFiles.write([file])}>
          Timestamp it
        </Link>
      )}
      <SelectField
        label="hashed with"
        testId="hash-type"
        value={type}
        options={HASH_TYPE_OPTIONS}
        onChoose={setType}
      />
    </Card>
  )
}
