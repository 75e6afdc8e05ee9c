// New items: the digests of local files, or a text, and what becomes of them.
import { useEffect, useEffectEvent, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { itemStage, STAGES, stageWords } from '../commitments/proof_stage.ts'
import { useUsualChain } from '../commitments/stage_pill.tsx'
import { takeFiles } from '../data/given_files.ts'
import { useWindowDrop } from '../hashing/window_drop.tsx'
import { type Entry, entriesOf, type Outcome } from '../items/draft.ts'
import type { ListedItem } from '../items/item.ts'
import { type ItemFilter, NO_FILTER, useItems } from '../items/item_filter.ts'
import { ItemRow } from '../items/item_row.tsx'
import { NewItemsForm, Unanswered } from '../items/new_items_form.tsx'
import { type NewItems, useNewItems } from '../items/use_new_items.ts'
import { Timeline } from '../proofs/timeline.tsx'
import { useWay } from '../proofs/use_way.ts'
import { Button } from '../ui/button.tsx'
import { droppedFiles } from '../ui/dropped_files.ts'
import { count } from '../ui/format.ts'
import { PlainPage } from '../ui/plain_page.tsx'
import { Card } from '../ui/section.tsx'
import { Shown } from '../ui/shown_text.tsx'

export const NewItemPage = () => {
  const [, navigate] = useLocation()
  const items = useNewItems((id) => navigate(`/items/${id}`, { replace: true }))
  const { sent } = items.draft
  return sent === null ? <Form items={items} /> : <SentItems items={items} />
}

const Form = ({ items }: { items: NewItems }) => {
  const { addFiles, forget } = items
  useWindowDrop({
    words: 'Add it to this submission',
    note: 'Only its fingerprint leaves this computer.',
    take: (transfer) => void droppedFiles(transfer).then(addFiles),
  })
  const addGiven = useEffectEvent((): void => {
    const files = takeFiles()
    if (files.length > 0) addFiles(files)
  })
  useEffect(() => addGiven(), [])
  return (
    <PlainPage
      title="New item"
      intro="An item says that something existed: a file by its fingerprint, or a text. It is stored and signed at once."
    >
      <NewItemsForm items={items} isWhole onClear={forget} />
    </PlainPage>
  )
}

/** From the first request on. Also after a reload, until the person begins another. */
const SentItems = ({ items }: { items: NewItems }) => {
  const { draft, forget } = items
  const entries = useMemo(() => entriesOf(draft), [draft])
  const outcomes = draft.sent?.outcomes ?? null
  if (outcomes === null)
    return (
      <PlainPage title="New item" name="Handing in…">
        <Unanswered items={items} />
      </PlainPage>
    )
  return (
    <PlainPage
      title="New item"
      name="Handed in"
      intro="This page shows how far each is, until you begin another. You may leave it."
      act={
        <Button look="primary" data-testid="another" onClick={forget}>
          Timestamp others
        </Button>
      }
    >
      <SubmittedItems entries={entries} outcomes={outcomes} />
    </PlainPage>
  )
}

type SubmittedItemsProps = { readonly entries: readonly Entry[]; readonly outcomes: readonly Outcome[] }

/** Each with its state, live, and how many are how far. */
const SubmittedItems = ({ entries, outcomes }: SubmittedItemsProps) => {
  const ids = useMemo(() => outcomes.flatMap((outcome) => ('id' in outcome ? [outcome.id] : [])), [outcomes])
  const { list, state } = useItems(useMemo(() => timesOf(ids), [ids]))
  const read = useMemo(() => new Map(state.rows.map((item) => [item.id, item])), [state.rows])
  const isMissing = ids.some((id) => !read.has(id))
  useEffect(() => {
    if (isMissing && state.older.kind === 'idle') void list.loadOlder()
  }, [isMissing, state.older.kind, list])
  const chain = useUsualChain()
  const found = ids.flatMap((id) => read.get(id) ?? [])
  const last = lastOf(ids.length, found)
  return (
    <div className="side-by-side" data-wide="left">
      <div className="main-side">
        <p className="soft" role="status" data-testid="submitted-counts">
          {countsOf(ids.length, { found, refused: outcomes.length - ids.length }, chain)}
        </p>
        <ul className="list submitted-rows">
          {outcomes.map((outcome, index) => (
            <li key={'id' in outcome ? outcome.id : `refused-${index}`}>
              <SubmittedRow outcome={outcome} entry={entries[index]} read={read} />
            </li>
          ))}
        </ul>
      </div>
      <div className="side">
        {ids.length > 0 && last.stage !== 'gone' && (
          <Card title="The last of them">
            <OnItsWay stage={last.stage} blockId={last.blockId} />
            {last.stage === 'ready' && (
              <Link to="/items" className="button">
                To the items, and their proofs
              </Link>
            )}
          </Card>
        )}
      </div>
    </div>
  )
}

const OnItsWay = (on: Parameters<typeof useWay>[0]) => <Timeline way={useWay(on)} />

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
    <div className="submitted-row stack">
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

/** How far the last of them is, and its block as far as it was read. Items that were not read are taken for the last. */
const lastOf = (made: number, found: readonly ListedItem[]) => {
  const stages = found.length === made ? found.map(itemStage) : []
  const stage = STAGES.find((one) => stages.includes(one)) ?? STAGES[0]
  return { stage, blockId: found[stages.indexOf(stage)]?.blockId ?? null }
}

type Counted = { readonly found: readonly ListedItem[]; readonly refused: number }

const countsOf = (made: number, { found, refused }: Counted, chain: string | undefined): string => {
  const of = Object.groupBy(found, itemStage)
  return [
    `${count(made)} handed in`,
    ...STAGES.flatMap((stage) => (of[stage] ? `${count(of[stage].length)} ${stageWords(stage, chain)}` : [])),
    ...(refused > 0 ? [`${count(refused)} refused`] : []),
  ].join(' · ')
}
