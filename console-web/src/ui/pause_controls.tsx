// Holds the list still while it is being read; what comes meanwhile is counted and shown on demand.
import { count } from './format_time.ts'
import { Icon } from './icon.tsx'

type PauseControlsProps = {
  readonly paused: boolean
  readonly unseen: number
  readonly onToggle: () => void
  readonly onShowNew: () => void
}

export const PauseControls = ({ paused, unseen, onToggle, onShowNew }: PauseControlsProps) => (
  <div className="pause-controls">
    {paused && unseen > 0 && (
      <button
        type="button"
        className="button new-count"
        data-testid="new-count"
        onClick={onShowNew}
        title="Show them"
      >
        {count(unseen)} new
      </button>
    )}
    <button
      type="button"
      className="button"
      data-testid="pause"
      aria-pressed={paused}
      onClick={onToggle}
      title={paused ? 'Go on (p)' : 'Pause the list (p)'}
    >
      <Icon name={paused ? 'play' : 'pause'} />
      <span>{paused ? 'Paused' : 'Pause'}</span>
    </button>
  </div>
)
