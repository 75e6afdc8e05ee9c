// What became of submitted items: each with its state, live, and how many are how far.
import './items.css'
import { type ReactNode, useEffect, useMemo } from 'react'
import { Link } from 'wouter'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { itemStage, type ProofStage } from '../commitments/proof_stage.ts'
import { count } from '../ui/format.ts'
import { Shown } from '../ui/shown_text.tsx'
import type { Entry, Outcome } from './draft.ts'
import type { ListedItem } from './item.ts'
import { type ItemFilter, NO_FILTER, useItems } from './item_filter.ts'
import { ItemRow } from './item_row.tsx'

type Progress = {
  readonly stage: ProofStage
  /** The block of the last of them, as far as it was read. */
  readonly blockId: string | null
}

type SubmittedItemsProps = {
  readonly entries: readonly Entry[]
  readonly outcomes: readonly Outcome[]
  /** Shown beside the rows, about the one that is behind all others. */
  readonly children: (progress: Progress) => ReactNode
}

export const SubmittedItems = ({ entries, outcomes, children }: SubmittedItemsProps) => {
  const ids = useMemo(() => outcomes.flatMap((outcome) => ('id' in outcome ? [outcome.id] : [])), [outcomes])
  const { list, state } = useItems(useMemo(() => timesOf(ids), [ids]))
  const read = useMemo(() => new Map(state.rows.map((item) => [item.id, item])), [state.rows])
  const isMissing = ids.some((id) => !read.has(id))
  useEffect(() => {
    if (isMissing && state.older.kind === 'idle') void list.loadOlder()
  }, [isMissing, state.older.kind, list])
  const found = ids.flatMap((id) => read.get(id) ?? [])
  return (
    <div className="side-by-side" data-wide="left">
      <div className="main-side">
        <p className="submitted-counts" role="status" data-testid="submitted-counts">
          {countsOf(ids.length, found, outcomes.length - ids.length)}
        </p>
        <ul className="list submitted-rows">
          {outcomes.map((outcome, index) => (
            <li key={'id' in outcome ? outcome.id : `refused-${index}`}>
              <SubmittedRow outcome={outcome} entry={entries[index]} read={read} />
            </li>
          ))}
        </ul>
      </div>
      <div className="side">{ids.length > 0 && children(progressOf(ids.length, found))}</div>
    </div>
  )
}

type SubmittedRowProps = {
  readonly outcome: Outcome
  readonly entry: Entry | undefined
  readonly read: ReadonlyMap<string, ListedItem>
}

const SubmittedRow = ({ outcome, entry, read }: SubmittedRowProps) => {
  const item = 'id' in outcome ? read.get(outcome.id) : undefined
  if (item !== undefined) return <ItemRow item={{ ...item, left: null }} />
  const name = typeof entry?.claims.name === 'string' ? entry.claims.name : ''
  return (
    <div className="submitted-row">
      <strong>
        <Shown text={name} />
      </strong>
      {'id' in outcome ? (
        <Link to={`/items/${outcome.id}`}>
          <code>{outcome.id}</code>
        </Link>
      ) : (
        <span className="problem">{outcome.why}</span>
      )}
    </div>
  )
}

/** The minutes of their ids, which are the times of their submission. */
const timesOf = (ids: readonly string[]): ItemFilter => {
  const times = ids.map(ulidTime)
  if (times.length === 0) return NO_FILTER
  const minute = (ms: number): string => new Date(ms).toISOString().slice(0, 16)
  return { ...NO_FILTER, from: minute(Math.min(...times)), to: minute(Math.max(...times)) }
}

/** Items that were not read are taken for the ones that are behind. */
const progressOf = (made: number, found: readonly ListedItem[]): Progress => {
  if (found.length === made)
    for (const [stage] of WORDS) {
      const behind = found.find((item) => itemStage(item) === stage)
      if (behind !== undefined) return { stage, blockId: behind.blockId }
    }
  return { stage: 'no_block', blockId: null }
}

/** The ones that are behind come first. */
const WORDS: readonly (readonly [ProofStage, string])[] = [
  ['no_block', 'waiting for a block'],
  ['waiting', 'in a block'],
  ['ready', 'with a proof'],
  ['gone', 'erased'],
]

const countsOf = (made: number, found: readonly ListedItem[], refused: number): string => {
  const stages = found.map(itemStage)
  const parts = WORDS.map(([stage, words]) => [stages.filter((one) => one === stage).length, words] as const)
  return [
    `${count(made)} handed in`,
    ...parts.filter(([number]) => number > 0).map(([number, words]) => `${count(number)} ${words}`),
    ...(refused > 0 ? [`${count(refused)} refused`] : []),
  ].join(' · ')
}
