// The last queries of this tab, newest first. Choosing one puts it into the editor and runs nothing.
import './graphiql.css'
import { Dialog } from '../ui/dialog.tsx'
import { utcClock } from '../ui/format_time.ts'
import type { PastQuery } from './query_history.ts'

type HistoryDialogProps = {
  readonly past: readonly PastQuery[]
  readonly onChoose: (query: PastQuery) => void
  readonly onForget: () => void
  readonly onClose: () => void
}

export const HistoryDialog = ({ past, onChoose, onForget, onClose }: HistoryDialogProps) => (
  <Dialog title="Past queries" testId="history" wide onClose={onClose}>
    {past.length === 0 && <p>Nothing has been run in this tab yet.</p>}
    <ol className="past">
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
  </Dialog>
)

/** The query in one line, without comments. */
const shortened = (query: string): string => {
  const line = query
    .replaceAll(/#[^\n]*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}
