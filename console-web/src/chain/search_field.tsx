// The search of the chain: a height, a hash, an id or a time. One finding is shown at once, several as a list.
import './chain.css'
import { useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { findNamed } from '../search/find_named.ts'
import type { Found } from '../search/found.ts'
import { type Named, readNames } from '../search/read_names.ts'
import { count } from '../ui/format_count.ts'
import { utc } from '../ui/format_time.ts'
import { Icon } from '../ui/icon.tsx'
import { Shown } from '../ui/shown_text.tsx'
import type { TimeRange } from './block_range.ts'
import { rangeOf } from './time_range.ts'

type SearchFieldProps = {
  /** Milliseconds that the clock of the server is ahead. */
  readonly clockOffset: number
  /** Shows a block in the table. The range is null when only the block was named. */
  readonly onBlock: (block: NonNullable<Found['block']>, range: TimeRange | null) => void
  readonly onRange: (range: TimeRange) => void
  readonly onPage: (path: string) => void
}

type Outcome =
  | { readonly kind: 'none'; readonly named: readonly Named[] }
  | { readonly kind: 'several'; readonly found: readonly Found[] }

/** A span of at least this length is shown as a range. Of a shorter one the first block is shown. */
const SPAN_MS = 3_600_000

export const SearchField = ({ clockOffset, onBlock, onRange, onPage }: SearchFieldProps) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const [text, setText] = useState('')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  const find = (wanted: string): void => {
    const now = Date.now() + clockOffset
    const named = readNames(wanted, now)
    setOutcome(null)
    const span = named.length === 1 && named[0]?.kind === 'time' ? named[0] : null
    if (span !== null && span.until !== null && span.until - span.from > SPAN_MS) {
      onRange(rangeOf(span.from, Math.min(span.until - 1, now)))
      return
    }
    if (named.length === 0) {
      setOutcome({ kind: 'none', named })
      return
    }
    ask(async (signal) => {
      const found = merged(await Promise.all(named.map((one) => findNamed(api, one, signal))))
      const [only, second] = found
      // Of the two blocks around a moment, the first at or after it comes first.
      if (only?.block && (second === undefined || span !== null))
        onBlock(only.block, span === null ? null : rangeOf(span.from - SPAN_MS / 2, span.from + SPAN_MS / 2))
      else if (only !== undefined && second === undefined) onPage(only.to)
      else setOutcome(only === undefined ? { kind: 'none', named } : { kind: 'several', found })
    })
  }

  return (
    <search className="chain-search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          find(text)
        }}
      >
        <label htmlFor={id} className="visually-hidden">
          Find a block by height, hash, id or time
        </label>
        <input
          ref={field}
          id={id}
          type="search"
          value={text}
          placeholder="Height, hash, id, or a time: yesterday 14:00"
          autoComplete="off"
          spellCheck={false}
          maxLength={2_000}
          data-testid="chain-search"
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button" disabled={state.kind === 'asking'}>
          {state.kind === 'asking' ? 'Looking…' : 'Find'}
        </button>
      </form>
      <p className="chain-search-shortcuts">
        {SHORTCUTS.map((words) => (
          <button
            key={words}
            type="button"
            className="text-button"
            onClick={() => {
              setText(words)
              find(words)
            }}
          >
            {words}
          </button>
        ))}
      </p>
      <div aria-live="polite">
        {state.kind === 'failed' && <p className="problem">{state.why}</p>}
        {outcome !== null && state.kind !== 'asking' && (
          <div className="chain-found" data-testid="chain-found">
            {outcome.kind === 'several' ? (
              <FoundList found={outcome.found} onBlock={onBlock} />
            ) : (
              <NothingFound named={outcome.named} />
            )}
            <button
              type="button"
              className="icon-button"
              aria-label="Close the findings"
              onClick={() => {
                setOutcome(null)
                field.current?.focus()
              }}
            >
              <Icon name="close" />
            </button>
          </div>
        )}
      </div>
    </search>
  )
}

const SHORTCUTS = ['1 hour ago', 'Today', 'Yesterday'] as const

type FoundListProps = { readonly found: readonly Found[]; readonly onBlock: SearchFieldProps['onBlock'] }

const FoundList = ({ found, onBlock }: FoundListProps) => (
  <ul>
    {found.map(({ kind, title, detail, to, block }) => (
      <li key={`${kind} ${to}`}>
        <Link
          to={block === null ? to : `/beacons/${block.hash}`}
          onClick={(event) => {
            if (block === null || event.metaKey || event.ctrlKey) return
            event.preventDefault()
            onBlock(block, null)
          }}
        >
          <Shown text={title} />
        </Link>
        <small>
          <Shown text={detail} />
        </small>
      </li>
    ))}
  </ul>
)

const NothingFound = ({ named }: { named: readonly Named[] }) =>
  named.length === 0 ? (
    <p>
      This names no height, hash, id or past time. Try {EXAMPLES.map((one) => `“${one}”`).join(', ')}. Times
      are UTC.
    </p>
  ) : (
    <p>Nothing was found that you may read. Looked for {named.map(lookedFor).join(', and ')}.</p>
  )

/** Completes "Looked for …". */
export const lookedFor = (named: Named): string => {
  switch (named.kind) {
    case 'item':
      return `the item ${named.id}`
    case 'id':
      return `anything with the id ${named.id}`
    case 'message':
      return `the webhook message ${named.id}`
    case 'hash':
      return `a block, item, observation, epoch or transaction with the hash ${named.hash}`
    case 'digest':
      return `items whose claims carry the digest ${named.digest}`
    case 'height':
      return `the block of height ${count(named.height)}`
    case 'time':
      return `the blocks around ${utc(new Date(named.from).toISOString())} UTC`
    default:
      return named satisfies never
  }
}

/** What can be typed, for a text that names nothing. */
export const EXAMPLES = ['1,234', 'yesterday', 'yesterday 14:00', '2 hours ago', '2027-01-31 09:30'] as const

/** The findings without repetition, blocks first. */
export const merged = (found: readonly (readonly Found[])[]): readonly Found[] => {
  const byPlace = new Map(found.flat().map((one) => [`${one.to} ${one.kind}`, one]))
  return [...byPlace.values()].toSorted((a, b) => Number(b.kind === 'block') - Number(a.kind === 'block'))
}
