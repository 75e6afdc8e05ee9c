// What stands before the oldest tile: the beginning of the chain, or how to see what was before.
import { Link } from 'wouter'
import { utc } from '../ui/format_time.ts'
import type { OlderTiles } from './picture_state.ts'
import type { Tile } from './tile.ts'

type StripBeginningProps = {
  readonly older: OlderTiles
  readonly first: Tile | null
  readonly onOlder: () => void
}

/** Its room at the left end of the strip. */
export const BEGINNING_WIDTH = 176

export const StripBeginning = ({ older, first, onOlder }: StripBeginningProps) => (
  <div className="strip-beginning">{first !== null && wordsFor(older, first, onOlder)}</div>
)

const wordsFor = (older: OlderTiles, first: Tile, onOlder: () => void) => {
  switch (older) {
    case 'end':
      return <p>The chain begins here, {utc(new Date(first.at).toISOString()).slice(0, 16)} UTC.</p>
    case 'bounded':
      return (
        <p>
          Older blocks are on the page <Link to="/chain">Chain</Link>.
        </p>
      )
    case 'failed':
      return (
        <p>
          Older blocks could not be read.{' '}
          <button type="button" className="text-button" onClick={onOlder}>
            Try again
          </button>
        </p>
      )
    case 'unknown':
    case 'idle':
    case 'loading':
      return <p>Reading older blocks…</p>
    default:
      return older satisfies never
  }
}
