// Holds a list still while a person reads it, also by the key p. New rows are counted meanwhile and shown on request.
import { Button } from '../button.tsx'
import { count } from '../format.ts'
import { Icon } from '../icon.tsx'
import { useKeys } from '../over/use_keys.ts'

type PauseControlsProps = {
  readonly list: { hold(): void; release(): void }
  readonly isHeld: boolean
  readonly unseen: number
  /** Brings the head of the list into view. */
  readonly toTop?: () => void
}

export const PauseControls = ({ list, isHeld, unseen, toTop = pageToTop }: PauseControlsProps) => {
  const toggle = (): void => (isHeld ? list.release() : list.hold())
  useKeys({ p: toggle })
  return (
    <div className="pause-controls">
      {isHeld && unseen > 0 && (
        <button
          type="button"
          className="button new-count"
          data-tip="Show them"
          data-testid="new-count"
          onClick={() => {
            // Before the rows come: at the head of the list they push nothing away.
            toTop()
            list.hold()
          }}
        >
          {count(unseen)} new
        </button>
      )}
      <Button
        data-tip={isHeld ? 'Go on (p)' : 'Pause the list (p)'}
        data-testid="pause"
        aria-pressed={isHeld}
        onClick={toggle}
      >
        <Icon name={isHeld ? 'play' : 'pause'} />
        <span>{isHeld ? 'Paused' : 'Pause'}</span>
      </Button>
    </div>
  )
}

const pageToTop = (): void => window.scrollTo({ top: 0 })
