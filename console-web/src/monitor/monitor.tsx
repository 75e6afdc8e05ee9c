// The monitor: everything that happens, as rows that a person can filter, hold still and open.
import './monitor.css'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { cameFrom } from '../data/address.ts'
import { count } from '../ui/format_count.ts'
import { lazyPart } from '../ui/load/lazy.tsx'
import type { KeyHelp } from '../ui/over/keys_dialog.tsx'
import { useKeys } from '../ui/over/use_keys.ts'
import { MonitorAnnouncer } from './monitor_announcer.tsx'
import { MonitorBar } from './monitor_bar.tsx'
import type { MonitorState } from './monitor_feed.ts'
import { compareRows, type MonitorRow, nameOfRow, rowNamed } from './monitor_row.ts'
import { findRow, MAX_ROWS, shownRows } from './monitor_rows.ts'
import { RowList } from './row_list.tsx'
import { useMonitorFeed, useSeen } from './use_monitor_feed.ts'

const KeysDialog = lazyPart(async () => (await import('../ui/over/keys_dialog.tsx')).KeysDialog)
const RowPanel = lazyPart(async () => (await import('./row_panel.tsx')).RowPanel)

const KEYS: readonly KeyHelp[] = [
  [['j', '↓'], 'older row'],
  [['k', '↑'], 'newer row'],
  [['Home'], 'newest row'],
  [['End'], 'oldest row'],
  [['Enter'], 'open the row'],
  [['Esc'], 'close it'],
  [['p'], 'pause and go on; in the list the space bar, too'],
  [['?'], 'this help'],
]

export const Monitor = () => {
  const feed = useMonitorFeed()
  const state = useSeen(feed.state)
  const { filter, held } = state
  const { name, open, close } = useNamedRow()
  const [active, setActive] = useState<MonitorRow | null>(null)
  const [help, setHelp] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const all = held ?? state.rows
  const rows = useMemo(() => shownRows(all, filter), [all, filter])
  const waiting = useMemo(() => waitingIn(state, rows), [state, rows])
  const named = useMemo(() => (name === null ? null : rowNamed(name)), [name])
  const found = useFound(rows, all, named)

  const togglePause = (): void => (held === null ? feed.hold() : feed.release())
  const show = useCallback((row: MonitorRow): void => open(nameOfRow(row)), [open])
  const move = useCallback(
    (row: MonitorRow): void => {
      setActive(row)
      if (name !== null) open(nameOfRow(row))
    },
    [name, open],
  )
  const focusList = (): void =>
    box.current?.querySelector<HTMLElement>('[role=listbox]')?.focus({ preventScroll: true })
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

  // While a row is open, the keys act on that row.
  const isBeside = active !== null && (named === null || compareRows(named, active) === 0)
  return (
    <section className="monitor" aria-labelledby="monitor-title" data-open={name !== null}>
      <MonitorBar
        feed={feed}
        state={state}
        rows={rows}
        waiting={waiting}
        onTogglePause={togglePause}
        onShowNew={() => {
          // Before the rows come: at the head of the list they push nothing away.
          box.current?.scrollTo({ top: 0, behavior: 'instant' })
          feed.hold()
        }}
      />
      <div className="monitor-body">
        <RowList
          rows={rows}
          raw={filter.raw}
          box={box}
          fresh={state.fresh}
          open={found ?? named}
          active={isBeside ? findRow(rows, active) : null}
          onActive={move}
          onOpen={show}
          onClose={shut}
          onTogglePause={togglePause}
          empty={
            <>
              <p>{emptyWords(all.length, filter.text)}</p>
              {filter.text !== '' && (
                <button
                  type="button"
                  className="text-button"
                  onClick={() => feed.setFilter({ ...filter, text: '' })}
                >
                  Show all
                </button>
              )}
            </>
          }
          end={endWords(state)}
        />
        {name !== null && <RowPanel key={name} row={found} named={named} onClose={shut} />}
      </div>
      {help && <KeysDialog keys={KEYS} onClose={() => setHelp(false)} />}
      <MonitorAnnouncer heard={state.heard} quiet={held !== null} />
    </section>
  )
}

/** How many rows would come on screen now. */
const waitingIn = ({ rows, held, filter }: MonitorState, shown: readonly MonitorRow[]): number => {
  if (held === null || held === rows) return 0
  const known = new Set(shown.map(nameOfRow))
  return shownRows(rows, filter).filter((row) => !known.has(nameOfRow(row))).length
}

/** The row in the panel. It stays while the panel is open, even when the list has dropped it. */
const useFound = (
  rows: readonly MonitorRow[],
  all: readonly MonitorRow[],
  named: MonitorRow | null,
): MonitorRow | null => {
  const held = useRef<MonitorRow | null>(null)
  const before = held.current
  const found = useMemo(() => named && (findRow(rows, named) ?? findRow(all, named)), [rows, all, named])
  const isSame = before !== null && named !== null && compareRows(before, named) === 0
  held.current = found ?? (isSame ? before : null)
  return held.current
}

const NAME = 'event'

/** The row that the address names: `/?event=…`. Back closes it. */
const useNamedRow = () => {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const name = new URLSearchParams(search).get(NAME)
  const go = useCallback(
    (wanted: string | null, replace: boolean): void => {
      const next = new URLSearchParams(search)
      next.delete(NAME)
      if (wanted !== null) next.set(NAME, wanted)
      navigate(next.size === 0 ? path : `${path}?${next}`, { replace })
    },
    [path, search, navigate],
  )
  const open = useCallback((wanted: string) => go(wanted, name !== null), [go, name])
  const close = useCallback(() => {
    // Goes back when the address before was the list, so that "back" does not open the row again.
    if (cameFrom(path)) window.history.back()
    else go(null, true)
  }, [go, path])
  return { name, open, close }
}

const emptyWords = (total: number, text: string): string => {
  if (total === 0) return 'Waiting for the first event…'
  return text === '' ? 'Waiting for the next event…' : `None of ${count(total)} rows fits this filter.`
}

const endWords = ({ rows, unread }: MonitorState): string => {
  const [problem] = unread.values()
  if (rows.length === MAX_ROWS)
    return `This page keeps the newest ${count(MAX_ROWS)} rows; older ones stay in the ledger.`
  if (problem !== undefined) return `Some earlier events could not be read: ${problem}`
  return 'Earlier events are on the pages of the chain, the items and the webhooks.'
}
