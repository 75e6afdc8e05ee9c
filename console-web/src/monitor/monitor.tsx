// The monitor: everything that happens, as rows that a person can filter, hold still and open.
import './monitor.css'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useChain } from '../chain/chain_context.ts'
import { cameFrom } from '../data/address.ts'
import { type ConsoleParts, useConsole } from '../data/console_context.ts'
import type { Store } from '../data/store.ts'
import { useLater } from '../ui/load/later.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'
import { type PageHelp, useKeys, usePageHelp } from '../ui/over/use_keys.ts'
import { MonitorAnnouncer } from './monitor_announcer.tsx'
import { MonitorBar } from './monitor_bar.tsx'
import { MonitorFeed } from './monitor_feed.ts'
import { type MonitorRow, nameOfRow, rowNamed } from './monitor_row.ts'
import { findRow, readOff, shownRows } from './monitor_rows.ts'
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
  const { connect } = useConsole()
  const feed = useMonitorFeed()
  const state = useSeen(feed.state)
  const { filter } = state
  const { name, open, close } = useNamedRow()
  const box = useRef<HTMLDivElement>(null)
  const all = state.held ?? state.rows
  const rows = useMemo(() => shownRows(all, filter), [all, filter])
  const named = name === null ? null : rowNamed(name)
  const found = named && (findRow(rows, named) ?? findRow(all, named))
  const isDue = useLater(rows.length > 0)
  useEffect(() => {
    if (isDue) connect()
  }, [isDue, connect])

  const shut = (): boolean => {
    if (name === null) return false
    close()
    box.current?.querySelector<HTMLElement>('[role=listbox]')?.focus({ preventScroll: true })
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
        toTop={() => box.current?.scrollTo({ top: 0, behavior: 'instant' })}
      />
      <div className="monitor-body">
        <RowList
          feed={feed}
          state={state}
          rows={rows}
          box={box}
          open={found ?? named}
          onOpen={open}
          onClose={shut}
        />
        {name !== null && <RowPanel key={name} row={found} named={named} onClose={shut} />}
      </div>
      <MonitorAnnouncer state={state} />
    </section>
  )
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

/** One for each sign-in. It follows also while another page is open. */
const feeds = new WeakMap<ConsoleParts, MonitorFeed>()

const useMonitorFeed = (): MonitorFeed => {
  const parts = useConsole()
  const { api, live, clockOffset } = parts
  const { feed: beacons } = useChain()
  const now = () => Date.now() + clockOffset.read()
  const feed = feeds.get(parts) ?? new MonitorFeed({ api, live, beacons, now }, readOff())
  feeds.set(parts, feed)
  return feed
}

/** Like any store, but a hidden tab is not drawn. It is drawn once when it is seen again. */
const useSeen = <T,>(store: Store<T>): T =>
  useSyncExternalStore((changed) => {
    const whenSeen = (): void => {
      if (document.visibilityState === 'visible') changed()
    }
    const unsubscribe = store.subscribe(whenSeen)
    document.addEventListener('visibilitychange', whenSeen)
    return () => {
      unsubscribe()
      document.removeEventListener('visibilitychange', whenSeen)
    }
  }, store.read)
