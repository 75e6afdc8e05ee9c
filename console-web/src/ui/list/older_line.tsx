// The line below the last row: load more, the beginning of the list, or why it ends here.
import type { ReactNode } from 'react'
import type { OlderPages } from '../../data/stream/live_list.ts'

interface OlderLineProps {
  readonly older: OlderPages
  /** The name of the rows: "beacons". */
  readonly rows: string
  /** The text when there are no older rows. */
  readonly end: string
  /** Shown when the page holds no more rows. */
  readonly bounded: ReactNode
  readonly onOlder: () => void
}

export const OlderLine = ({ older, onOlder, ...words }: OlderLineProps) => (
  <p className="older-line" data-kind={older.kind}>
    {wordsFor(older, words)}
    {older.kind === 'failed' && (
      <button type="button" className="text-button" onClick={onOlder}>
        Try again
      </button>
    )}
  </p>
)

function wordsFor(
  older: OlderPages,
  { rows, end, bounded }: Pick<OlderLineProps, 'rows' | 'end' | 'bounded'>,
): ReactNode {
  switch (older.kind) {
    case 'end':
      return end
    case 'bounded':
      return bounded
    case 'failed':
      return `Older ${rows} could not be loaded: ${older.why} `
    case 'loading':
    case 'idle':
    case 'unknown':
      return `Loading older ${rows}…`
    default:
      return older satisfies never
  }
}
