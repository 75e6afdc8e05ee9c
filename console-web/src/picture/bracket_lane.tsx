// The brackets of one public chain under the tiles. A bracket is closed at its right end once the transaction of
// its epoch is confirmed.
import { memo } from 'react'
import type { Lane } from './brackets.ts'
import { TILE_SEAM } from './measure.ts'

type BracketLaneProps = { readonly lane: Lane; readonly from: number; readonly to: number }

/** Narrower ones show no number. */
const WIDE_ENOUGH = 84

export const BracketLane = memo(({ lane, from, to }: BracketLaneProps) => (
  <div className="lane" data-testid="lane">
    {lane.brackets
      .filter(({ x, width }) => x + width >= from && x <= to)
      .map(({ epoch, x, width, isCut }) => (
        <span
          key={epoch.id}
          className="bracket"
          data-testid="bracket"
          data-state={epoch.state}
          data-cut={isCut}
          style={{ left: x, width: Math.max(3, width - TILE_SEAM) }}
        >
          {width >= WIDE_ENOUGH && <span>{`epoch ${epoch.sequence}${marks[epoch.state]}`}</span>}
        </span>
      ))}
    {lane.next !== null && (
      <span
        className="bracket"
        data-state="gathering"
        style={{ left: lane.next.x, width: Math.max(3, lane.next.width) }}
      />
    )}
  </div>
))
BracketLane.displayName = 'BracketLane'

const marks = { confirmed: ' ✓', pending: '', submitted: ' …', failed: ' !' } as const
