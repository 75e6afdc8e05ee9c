// The keyboard keys of the chain's rows: move, open, close, copy; and the help that tells them, and that of the pause.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { copyText } from '../ui/copy_text.ts'
import { type PageHelp, useKeys } from '../ui/over/use_keys.ts'
import { rowId } from './beacon_rows.tsx'

type BeaconKeys = {
  readonly rows: readonly Beacon[]
  /** Hash of the beacon that the keys act on. */
  readonly selected: string | null
  /** Hash of the beacon in the drawer. */
  readonly openHash: string | null
  readonly choose: (hash: string) => void
  readonly open: (hash: string) => void
  readonly close: () => void
}

export const useBeaconKeys = ({ rows, selected, openHash, choose, open, close }: BeaconKeys): void => {
  const chosen = rows.find(({ hash }) => hash === selected)
  const move = (by: 1 | -1) => (): boolean => {
    const at = rows.findIndex(({ hash }) => hash === selected)
    const next = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]
    if (next === undefined) return false
    choose(next.hash)
    if (openHash !== null) open(next.hash)
    else
      requestAnimationFrame(() => document.getElementById(rowId(next.hash))?.focus({ preventScroll: true }))
    return true
  }
  /** In the drawer the arrow keys scroll its text. The keys j and k still move. */
  const arrow =
    (by: 1 | -1) =>
    (event: KeyboardEvent): boolean =>
      event.target instanceof Element && event.target.closest('.drawer') !== null ? false : move(by)()
  useKeys({
    j: move(1),
    k: move(-1),
    ArrowDown: arrow(1),
    ArrowUp: arrow(-1),
    Enter: (event) => {
      // A focused link or button handles Enter itself.
      if (event.target instanceof Element && event.target.closest('a, button, summary') !== null) return false
      return chosen !== undefined && open(chosen.hash)
    },
    Escape: () => openHash !== null && close(),
    c: () => {
      const row = chosen ?? rows[0]
      return row !== undefined && void copyText(row.hash)
    },
  })
}

export const BEACON_HELP: PageHelp = {
  keys: [
    [['j', '↓'], 'older block'],
    [['k', '↑'], 'newer block'],
    [['Enter'], 'open the block'],
    [['Esc'], 'close'],
    [['p'], 'pause and go on'],
    [['c'], 'copy the hash'],
  ],
  more: (
    <>
      <h3>What the marks mean</h3>
      <ul className="signs">
        <li data-tone="good" data-sign="✓">
          proven: linked, and the block hash recomputed in this browser
        </li>
        <li>linked: fits its predecessor; recomputation still to come</li>
        <li data-tone="bad" data-sign="✕">
          broken: does not fit. Keep a copy, and tell someone
        </li>
      </ul>
    </>
  ),
}
