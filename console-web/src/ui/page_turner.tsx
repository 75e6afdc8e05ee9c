// Forward and back through pages by the cursors that came with them.

type PageTurnerProps = {
  readonly previous: string | null
  readonly next: string | null
  readonly onTurn: (path: string) => void
}

export const PageTurner = ({ previous, next, onTurn }: PageTurnerProps) =>
  previous === null && next === null ? null : (
    <nav className="page-turner" aria-label="Pages">
      <button
        type="button"
        className="button"
        disabled={previous === null}
        data-testid="page-newer"
        onClick={() => previous !== null && onTurn(previous)}
      >
        Newer
      </button>
      <button
        type="button"
        className="button"
        disabled={next === null}
        data-testid="page-older"
        onClick={() => next !== null && onTurn(next)}
      >
        Older
      </button>
    </nav>
  )
