// A list of items: name, state, digest and time.

import { Link } from 'wouter'
import { itemStage, type ProofStage } from '../commitments/proof_stage.ts'
import { localTime, utcClock, utcDay } from '../ui/format_time.ts'
import { Shown } from '../ui/shown_text.tsx'
import type { Item } from './item.ts'

export const ItemRows = ({ items }: { items: readonly Item[] }) => (
  <ul className="thing-rows" data-testid="item-rows">
    {items.map((item) => (
      <li key={item.id}>
        <Link to={`/items/${item.id}`} className="thing-row" data-testid="item-row">
          <time dateTime={item.insertedAt} title={localTime(item.insertedAt)}>
            {utcClock(item.insertedAt)}
            <small>{utcDay(item.insertedAt)}</small>
          </time>
          <span className="thing-name">
            <strong>{item.name === null ? 'Redacted item' : <Shown text={item.name} />}</strong>
            <code>{digestOf(item) ?? item.id}</code>
          </span>
          <StagePill stage={itemStage(item)} />
        </Link>
      </li>
    ))}
  </ul>
)

const digestOf = ({ claims }: Item): string | null =>
  claims !== null && typeof claims.hash === 'string' ? claims.hash : null

const StagePill = ({ stage }: { stage: ProofStage }) => (
  <span className="state-pill" data-state={pills[stage].state}>
    {pills[stage].word}
  </span>
)

/** The list shows whether a proof is available, because the item's state alone does not say it. */
const pills: Readonly<Record<ProofStage, { state: string; word: string }>> = {
  no_block: { state: 'created', word: 'accepted' },
  waiting: { state: 'finalized', word: 'in a block' },
  ready: { state: 'committed', word: 'provable' },
  gone: { state: 'redacted', word: 'redacted' },
}
