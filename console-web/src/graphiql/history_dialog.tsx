// The last queries of this tab, newest first; choosing one puts it back into the editor and runs nothing.
import { useEffect, useRef } from 'react'
import { utcClock } from '../ui/format_time.ts'
import { Icon } from '../ui/icon.tsx'
import type { PastQuery } from './query_history.ts'

type HistoryDialogProps = {
  readonly past: readonly PastQuery[]
  readonly onChoose: (query: PastQuery) => void
  readonly onForget: () => void
  readonly onClose: () => void
}

export const HistoryDialog = ({ past, onChoose, onForget, onClose }: HistoryDialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="help past"
      aria-label="Past queries"
      data-testid="history"
      onClose={onClose}
    >
      <header>
        <h2>Past queries</h2>
        <button type="button" className="icon-button" onClick={onClose} aria-label="Close">
          <Icon name="close" />
        </button>
      </header>
      {past.length === 0 && <p className="pane-note">Nothing has been run in this tab yet.</p>}
      <ol>
        {past.map((one) => (
          <li key={`${one.query} ${one.variables}`}>
            <button type="button" data-testid="past-query" onClick={() => onChoose(one)}>
              <code>{shortened(one.query)}</code>
              <small>{utcClock(new Date(one.at).toISOString())} UTC</small>
            </button>
          </li>
        ))}
      </ol>
      {past.length > 0 && (
        <button type="button" className="text-button" onClick={onForget}>
          Forget them
        </button>
      )}
    </dialog>
  )
}

/** In one line, without comments. */
const shortened = (query: string): string => {
  const line = query
    .replaceAll(/#[^\n]*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}
