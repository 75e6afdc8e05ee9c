// Buttons to the next and the previous page, which use the cursors of the documents.

type PagerProps = {
  readonly previous: string | null
  readonly next: string | null
  readonly onChoose: (path: string) => void
}

export const Pager = ({ previous, next, onChoose }: PagerProps) =>
  previous === null && next === null ? null : (
    <nav className="pager" aria-label="Pages">
      <button
        type="button"
        className="button"
        disabled={previous === null}
        data-testid="page-newer"
        onClick={() => previous !== null && onChoose(previous)}
      >
        Newer
      </button>
      <button
        type="button"
        className="button"
        disabled={next === null}
        data-testid="page-older"
        onClick={() => next !== null && onChoose(next)}
      >
        Older
      </button>
    </nav>
  )
