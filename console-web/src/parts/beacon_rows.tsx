// The list itself, newest first: only the rows near the window exist, and what is being read stays put when a beacon arrives above it.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { OlderPages } from '../beacons/beacon_feed.ts'
import { linkOf, rowState } from '../beacons/beacon_list.ts'
import type { Proofs } from '../beacons/block_prover.ts'
import { GENESIS_PREVIOUS_HASH } from '../beacons/genesis.ts'
import { BeaconRow } from './beacon_row.tsx'
import { OlderLine } from './older_line.tsx'

type BeaconRowsProps = {
  readonly rows: readonly Beacon[]
  readonly conflicts: ReadonlySet<string>
  readonly proofs: Proofs
  readonly selected: string | null
  readonly arrived: string | null
  readonly older: OlderPages
  readonly onOpen: (hash: string) => void
  readonly onOlder: () => void
}

export const ROW_HEIGHT = 56
/** Ask for the next page while this many rows are still below the window. */
const AHEAD = 12

export const BeaconRows = ({
  rows,
  conflicts,
  proofs,
  selected,
  arrived,
  older,
  onOpen,
  onOlder,
}: BeaconRowsProps) => {
  const box = useRef<HTMLOListElement>(null)
  const top = useTop(box)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
    scrollMargin: top,
    useFlushSync: false,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useHoldPlace(rows, top)
  useShowSelected(rows, selected, top)
  useEffect(() => {
    if (older.kind === 'idle' && rows.length > 0 && last >= rows.length - AHEAD) onOlder()
  }, [older.kind, rows.length, last, onOlder])

  return (
    <>
      <ol
        className="rows"
        ref={box}
        style={{ height: virtual.getTotalSize() }}
        aria-label="Beacons, newest first"
      >
        {items.map((item) => {
          const beacon = rows[item.index]
          if (beacon === undefined) return null
          const proof = proofs.get(beacon.id)
          const link = linkOf(rows, item.index, GENESIS_PREVIOUS_HASH)
          return (
            <li
              key={beacon.id}
              data-testid="beacon-row"
              data-id={beacon.id}
              data-hash={beacon.hash}
              data-state={rowState(link, conflicts.has(beacon.id), proof?.recomputation?.ok)}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              style={{ transform: `translateY(${item.start - top}px)` }}
            >
              <BeaconRow
                beacon={beacon}
                state={rowState(link, conflicts.has(beacon.id), proof?.recomputation?.ok)}
                height={proof?.block?.height ?? null}
                selected={beacon.id === selected}
                arrived={beacon.id === arrived}
                tabIndex={beacon.id === (selected ?? rows[0]?.id) ? 0 : -1}
                onOpen={onOpen}
              />
            </li>
          )
        })}
      </ol>
      {rows.length > 0 && <OlderLine older={older} onOlder={onOlder} />}
    </>
  )
}

/** Where the list begins in the document; it moves when what stands above it grows. */
const useTop = (box: React.RefObject<HTMLElement | null>): number => {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = (): void => {
      if (box.current !== null) setTop(Math.round(box.current.getBoundingClientRect().top + window.scrollY))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [box])
  return top
}

/** Rows that arrive above the window push everything down; scrolling by as much keeps the same rows in view. */
const useHoldPlace = (rows: readonly Beacon[], top: number): void => {
  const newest = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const before = newest.current
    newest.current = rows[0]?.id
    if (before === undefined || before === newest.current || window.scrollY <= top) return
    const added = rows.findIndex((row) => row.id === before)
    if (added > 0) window.scrollBy({ top: added * ROW_HEIGHT, behavior: 'instant' })
  }, [rows, top])
}

/** A row chosen by key is brought into view; one chosen by pointer is there already. */
const useShowSelected = (rows: readonly Beacon[], selected: string | null, top: number): void => {
  const shown = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (selected === shown.current) return
    const index = rows.findIndex((row) => row.id === selected)
    if (index === -1) return
    shown.current = selected
    const start = top + index * ROW_HEIGHT
    const bar = 132
    if (start < window.scrollY + bar) window.scrollTo({ top: Math.max(0, start - bar), behavior: 'instant' })
    else if (start + ROW_HEIGHT > window.scrollY + window.innerHeight)
      window.scrollTo({ top: start + ROW_HEIGHT * 2 - window.innerHeight, behavior: 'instant' })
  }, [rows, selected, top])
}
