// The monitor: everything that happens, as rows that a person can filter, hold still and open.
import './monitor.css'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useChain } from '../chain/chain_context.ts'
import { cameFrom } from '../data/address.ts'
import { type ConsoleParts, useConsole } from '../data/console_context.ts'
import type { Store } from '../data/store.ts'
import { Button } from '../ui/button.tsx'
import { count } from '../ui/format.ts'
import { useLater } from '../ui/load/later.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'
import { type PageHelp, useKeys, usePageHelp } from '../ui/over/use_keys.ts'
import { MonitorAnnouncer } from './monitor_announcer.tsx'
import { MonitorBar } from './monitor_bar.tsx'
import { MonitorFeed, type MonitorState } from './monitor_feed.ts'
import { type MonitorRow, nameOfRow, rowNamed } from './monitor_row.ts'
import { findRow, MAX_ROWS, readOff, shownRows } from './monitor_rows.ts'
import { RowList } from './row_list.tsx'

const RowPanel = lazyPart(async () => (await import('./row_panel.tsx')).RowPanel)

const HELP: PageHelp = {
  keys: [
    [['j', '↓'], 'older row'],
    [['k', '↑'], 'newer row'],
    [['Home'], 'newest row'],
    [['End'], 'oldest row'],
    [['Enter'], 'open the row'],
    [['Esc'], 'close it'],
    [['p'], 'pause and go on; in the list the space bar, too'],
  ],
}

export const Monitor = () => {
  const feed = useMonitorFeed()
  const state = useSeen(feed.state)
  const { filter, held } = state
  const { name, open, close } = useNamedRow()
  const [active, setActive] = useState<MonitorRow | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const all = held ?? state.rows
  const rows = useMemo(() => shownRows(all, filter), [all, filter])
  const waiting = useMemo(() => waitingIn(state, rows), [state, rows])
  const named = name === null ? null : rowNamed(name)
  const found = named && (findRow(rows, named) ?? findRow(all, named))
  const shown = found ?? named
  const isWhole = useLater(rows.length > 0)
  useEffect(() => {
    if (isWhole) feed.followAll()
  }, [isWhole, feed])

  const move = (row: MonitorRow): void => {
    setActive(row)
    if (name !== null) open(row)
  }
  const focusList = (): void =>
    box.current?.querySelector<HTMLElement>('[role=listbox]')?.focus({ preventScroll: true })
  const shut = (): boolean => {
    if (name === null) return false
    if (found !== null) setActive(found)
    close()
    focusList()
    return true
  }
  useKeys({ Escape: shut })
  usePageHelp(HELP)

  return (
    <section className="monitor" aria-labelledby="monitor-title" data-open={name !== null}>
      <MonitorBar
        feed={feed}
        state={state}
        rows={rows}
        waiting={waiting}
        toTop={() => box.current?.scrollTo({ top: 0, behavior: 'instant' })}
      />
      <div className="monitor-body">
        <RowList
          rows={rows}
          raw={filter.raw}
          box={box}
          fresh={state.fresh}
          open={shown}
          active={shown ?? (active && findRow(rows, active))}
          onActive={move}
          onOpen={open}
          onClose={shut}
          onTogglePause={() => (held === null ? feed.hold() : feed.release())}
          empty={
            <>
              <p>{emptyWords(all.length, filter.text)}</p>
              {filter.text !== '' && (
                <Button look="text" onClick={() => feed.narrow({ text: '' })}>
                  Show all
                </Button>
              )}
            </>
          }
          end={endWords(state)}
        />
        {name !== null && <RowPanel key={name} row={found} named={named} onClose={shut} />}
      </div>
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

const NAME = 'event'

/** The row that the address names: `/?event=…`. Back closes it. */
const useNamedRow = () => {
  const [path] = useLocation()
  const [query, setQuery] = useSearchParams()
  const name = query.get(NAME)
  const others = [...query].filter(([other]) => other !== NAME)
  const open = (row: MonitorRow): void =>
    setQuery([...others, [NAME, nameOfRow(row)]], { replace: name !== null })
  const close = (): void => {
    // Goes back when the address before was the list, so that "back" does not open the row again.
    if (cameFrom(path)) window.history.back()
    else setQuery(others, { replace: true })
  }
  return { name, open, close }
}

const emptyWords = (total: number, text: string): string => {
  if (total === 0) return 'Waiting for the first event…'
  return text === '' ? 'Waiting for the next event…' : `None of ${count(total)} rows fits this filter.`
}

const endWords = ({ rows, unread }: MonitorState): string => {
  const problem = [...unread.values()].find((why) => why !== null)
  if (rows.length === MAX_ROWS)
    return `This page keeps the newest ${count(MAX_ROWS)} rows; older ones stay in the ledger.`
  if (problem !== undefined) return `Some earlier events could not be read: ${problem}`
  return 'Earlier events are on the pages of the chain, the items and the webhooks.'
}

/** One for each sign-in. It follows also while another page is open. */
const feeds = new WeakMap<ConsoleParts, MonitorFeed>()

const useMonitorFeed = (): MonitorFeed => {
  const parts = useConsole()
  const { feed: beacons } = useChain()
  const found = feeds.get(parts)
  if (found !== undefined) return found
  const { api, live, clockOffset } = parts
  const feed = new MonitorFeed({ api, live, beacons, now: () => Date.now() + clockOffset.read() }, readOff())
  feeds.set(parts, feed)
  return feed
}

/** Like any store, but a hidden tab is not drawn. It is drawn once when it is seen again. */
const useSeen = <T,>(store: Store<T>): T =>
  useSyncExternalStore((changed) => subscribeSeen(store, changed), store.read)

const subscribeSeen = <T,>(store: Store<T>, changed: () => void): (() => void) => {
  const whenSeen = (): void => {
    if (document.visibilityState === 'visible') changed()
  }
  const unsubscribe = store.subscribe(whenSeen)
  document.addEventListener('visibilitychange', whenSeen)
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', whenSeen)
  }
}
