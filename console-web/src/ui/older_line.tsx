// What stands below the last row: more to come, where the rows begin, or why they end here.

export type OlderPages =
  | { readonly kind: 'idle'; readonly path: string }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly path: string; readonly why: string }
  | { readonly kind: 'unknown' | 'end' | 'bounded' }

interface OlderLineProps {
  readonly older: OlderPages
  /** What the rows are: "beacons". */
  readonly rows: string
  /** Said where there is nothing older. */
  readonly end: string
  /** Said where the page keeps no more. */
  readonly bounded: string
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
): string {
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
