// The columns of the chain's table, each named once: its head, its width, its cell, and what is known for it. The sheet
// says which of them a narrow list leaves out.
import type { ReactNode } from 'react'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { GENESIS_PREVIOUS_HASH } from '../blocks/recompute_block.ts'
import { carriedBy, type Epoch } from '../commitments/epoch.ts'
import { blockWords } from '../commitments/proof_stage.ts'
import { count, span } from '../ui/format.ts'
import { LightStrip } from '../ui/light_strip.tsx'
import { RowTime } from '../ui/list/row_time.tsx'
import { heightAt, linkOf, type RowState, rowState } from './beacon_list.ts'
import type { ChainRows } from './use_rows.ts'

export type RowFacts = ReturnType<typeof factsOf>

export type Column = {
  readonly key: string
  readonly head: string
  /** Pixels. The one without takes what is left. */
  readonly width?: number
  readonly cell: (row: RowFacts & { readonly beacon: Beacon }) => ReactNode
}

export const COLUMNS: readonly Column[] = [
  {
    key: 'height',
    head: 'Block',
    width: 64,
    cell: ({ height }) => height !== null && `#${count(height)}`,
  },
  {
    key: 'time',
    head: 'Time, UTC',
    width: 156,
    cell: ({ beacon: { timestamp }, above }) => <RowTime at={timestamp} above={above} />,
  },
  {
    key: 'interval',
    head: 'Interval',
    width: 84,
    cell: ({ intervalMs }) => intervalMs !== null && span(intervalMs),
  },
  {
    key: 'items',
    head: 'Items',
    width: 70,
    cell: ({ items }) => items !== null && <span data-none={items === 0}>{count(items)}</span>,
  },
  {
    key: 'hash',
    head: 'Hash',
    cell: ({ beacon: { hash } }) => (
      <code title={hash}>
        <b>{hash.slice(0, 8)}</b>
        {hash.slice(8)}
      </code>
    ),
  },
  {
    key: 'strip',
    head: '',
    width: 94,
    cell: ({ beacon: { hash } }) => <LightStrip hash={hash} />,
  },
  {
    key: 'state',
    head: 'State',
    width: 176,
    cell: ({ stage, chains }) => <span data-stage={stage}>{stage && blockWords(stage, chains)}</span>,
  },
  {
    key: 'check',
    head: 'Checked',
    width: 62,
    cell: ({ check }) => <span title={stateWords[check].meaning}>{stateWords[check].word}</span>,
  },
]

export const stateWords: Readonly<Record<RowState, { word: string; meaning: string }>> = {
  proven: {
    word: 'proven',
    meaning: 'Linked to its predecessor, and its block hash was recomputed in this browser.',
  },
  linked: { word: 'linked', meaning: 'Linked to its predecessor; the block hash is still to be recomputed.' },
  open: {
    word: 'loading',
    meaning: 'Its predecessor has not been loaded yet, so the link cannot be checked.',
  },
  broken: { word: 'broken', meaning: 'This block does not fit the chain.' },
}

/** @param index where the beacon stands among the rows */
export const factsOf = (
  { rows, proofs, conflicts }: Pick<ChainRows, 'rows' | 'proofs' | 'conflicts'>,
  { id, timestamp }: Beacon,
  index: number,
  epochs: readonly Epoch[],
) => {
  const older = rows[index + 1]
  const proof = proofs.get(id)
  const block = proof?.block ?? null
  const { chains } = carriedBy(epochs, id)
  const isCarried = chains !== undefined || block?.state === 'committed'
  const link = linkOf(rows, index, GENESIS_PREVIOUS_HASH)
  return {
    height: heightAt(rows, index, (id) => proofs.get(id)?.block.height),
    /** Milliseconds since the beacon before. Null when that one is not in the list. */
    intervalMs: older === undefined ? null : Date.parse(timestamp) - Date.parse(older.timestamp),
    items: block?.itemCount ?? null,
    /** Null while nothing was read of it. */
    stage: isCarried ? ('ready' as const) : block && ('waiting' as const),
    chains,
    check: rowState(link, conflicts.has(id), proof?.recomputation.ok),
    /** The time of the row above. */
    above: rows[index - 1]?.timestamp,
  }
}
