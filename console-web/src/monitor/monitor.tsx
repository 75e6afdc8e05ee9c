// The monitor: everything that happens, as rows that a person can filter, hold still and open.
import './monitor.css'
import { useCallback, useMemo, useRef, useState } from 'react'
import { count } from '../ui/format_count.ts'
import { lazyPart } from '../ui/lazy.tsx'
import { useKeys } from '../ui/use_keys.ts'
import { MonitorAnnouncer } from './monitor_announcer.tsx'
import { MonitorBar } from './monitor_bar.tsx'
import type { MonitorState } from './monitor_feed.ts'
import { compareRows, type MonitorRow, nameOfRow, rowNamed } from './monitor_row.ts'
import { passesAll, type RowFilter } from './row_filter.ts'
import { RowList } from './row_list.tsx'
import { MAX_ROWS, type RowStore } from './row_store.ts'
import { useMonitorFeed, useSeen } from './use_monitor_feed.ts'
import { useNamedRow } from './use_named_row.ts'

const MonitorKeys = lazyPart(async () => (await import('./monitor_keys.tsx')).MonitorKeys)
const RowPanel = lazyPart(async () => (await import('./row_panel.tsx')).RowPanel)

export const Monitor = () => {
  const feed = useMonitorFeed()
  const state = useSeen(feed.state)
  const { name, open, close } = useNamedRow()
  const [active, setActive] = useState<MonitorRow | null>(null)
  const [help, setHelp] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const rows = feed.rows.rows
  const named = useMemo(() => (name === null ? null : rowNamed(name)), [name])
  const found = useFound(feed.rows, named)

  const togglePause = (): void => (state.paused ? feed.resume() : feed.pause())
  const show = useCallback((row: MonitorRow): void => open(nameOfRow(row)), [open])
  const move = useCallback(
    (row: MonitorRow): void => {
      setActive(row)
      if (name !== null) open(nameOfRow(row))
    },
    [name, open],
  )
  const seen = useCallback(
    (oldest: MonitorRow | null): void => {
      feed.inView = oldest
    },
    [feed],
  )
  const focusList = (): boolean => {
    const list = box.current?.querySelector<HTMLElement>('[role=listbox]') ?? null
    list?.focus({ preventScroll: true })
    return list !== null
  }
  const shut = (): boolean => {
    if (name === null) return false
    if (found !== null) setActive(found)
    close()
    focusList()
    return true
  }
  // Where the focus is in the list, the list has used Escape already.
  useKeys({
    p: () => {
      togglePause()
      return true
    },
    Escape: shut,
    '?': () => {
      setHelp(true)
      return true
    },
  })

  return (
    <section className="monitor" aria-labelledby="monitor-title" data-open={name !== null}>
      <MonitorBar
        feed={feed}
        state={state}
        onTogglePause={togglePause}
        onShowNew={() => {
          // Before the rows come: at the head of the list they push nothing away.
          box.current?.scrollTo({ top: 0, behavior: 'instant' })
          feed.showNew()
        }}
      />
      <div className="monitor-body">
        <RowList
          rows={rows}
          box={box}
          fresh={state.fresh}
          open={found ?? named}
          active={active !== null && rows.has(active) && isBeside(active, name) ? active : null}
          onActive={move}
          onOpen={show}
          onClose={shut}
          onTogglePause={togglePause}
          seen={seen}
          empty={
            <>
              <p>{emptyWords(state, feed.rows)}</p>
              {isNarrowed(state.filter) && (
                <button
                  type="button"
                  className="text-button"
                  onClick={() => feed.setFilter({ ...state.filter, kind: null, text: '' })}
                >
                  Show all
                </button>
              )}
            </>
          }
          end={endWords(state, feed.rows)}
        />
        {name !== null && <RowPanel key={name} row={found} named={named} onClose={shut} />}
      </div>
      {help && <MonitorKeys onClose={() => setHelp(false)} />}
      <MonitorAnnouncer heard={state.heard} quiet={state.paused} />
    </section>
  )
}

/** The row in the panel. It stays while the panel is open, even when the list has dropped it. */
const useFound = (rows: RowStore, named: MonitorRow | null): MonitorRow | null => {
  const held = useRef<MonitorRow | null>(null)
  const before = held.current
  const isSame = before !== null && named !== null && compareRows(before, named) === 0
  const found = named === null ? null : (rows.find(named) ?? (isSame ? before : null))
  held.current = found
  return found
}

const isNarrowed = ({ kind, text }: RowFilter): boolean => kind !== null || text !== ''

/** While a row is open, the keys act on that row. */
const isBeside = (active: MonitorRow, name: string | null): boolean => {
  const open = name === null ? null : rowNamed(name)
  return open === null || compareRows(open, active) === 0
}

const emptyWords = ({ filter, searching }: MonitorState, { total }: RowStore): string => {
  if (searching) return 'Looking through the rows…'
  if (total === 0) return 'Waiting for the first event…'
  return passesAll(filter) ? 'Waiting for the next event…' : `None of ${count(total)} rows fits this filter.`
}

const endWords = ({ unread }: MonitorState, { isTrimmed }: RowStore): string => {
  const [problem] = unread.values()
  if (isTrimmed) return `This page keeps the newest ${count(MAX_ROWS)} rows; older ones stay in the ledger.`
  if (problem !== undefined) return `Some earlier events could not be read: ${problem}`
  return 'Earlier events are on the pages of the chain, the items and the webhooks.'
}
