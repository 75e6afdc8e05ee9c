// The head of the chain's page: its name, its search, and what can be done with the chain.
import './chain.css'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

type ChainTopProps = {
  /** Hash of the beacon that a draw begins with. Null while none is known. */
  readonly drawFrom: string | null
  readonly plots: boolean
  readonly onPlots: () => void
  readonly onWalk: () => void
  /** The search. */
  readonly children: ReactNode
}

export const ChainTop = ({ drawFrom, plots, onPlots, onWalk, children }: ChainTopProps) => (
  <div className="chain-top">
    <h1>Chain</h1>
    {children}
    <div className="chain-acts">
      <button
        type="button"
        className="button"
        aria-pressed={plots}
        data-testid="toggle-plots"
        onClick={onPlots}
      >
        Plots
      </button>
      <button type="button" className="button" data-testid="walk-start" onClick={onWalk}>
        Walk to genesis
      </button>
      {drawFrom !== null && (
        <Link to={`/beacons/${drawFrom}/draw`} className="button">
          Draw winners
        </Link>
      )}
    </div>
  </div>
)
