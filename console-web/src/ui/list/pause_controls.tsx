// Holds the list still while a person reads it. New rows are counted meanwhile and shown on request.
import { Button } from '../button.tsx'
import { count } from '../format.ts'
import { Icon } from '../icon.tsx'

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
        data-tip="Show them"
        data-testid="new-count"
        onClick={onShowNew}
      >
        {count(unseen)} new
      </button>
    )}
    <Button
      data-tip={paused ? 'Go on (p)' : 'Pause the list (p)'}
      data-testid="pause"
      aria-pressed={paused}
      onClick={onToggle}
    >
      <Icon name={paused ? 'play' : 'pause'} />
      <span>{paused ? 'Paused' : 'Pause'}</span>
    </Button>
  </div>
)
