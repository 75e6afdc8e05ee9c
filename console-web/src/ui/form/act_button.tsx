// A button that asks the service for something at once, and says why it was not done.
import type { ReactNode } from 'react'
import { useAsked } from '../../data/use_asked.ts'
import { Icon, type IconName } from '../icon.tsx'

type ActButtonProps = {
  readonly caption: string
  /** The caption while it runs. */
  readonly running?: string
  readonly icon?: IconName
  readonly look?: keyof typeof LOOKS
  readonly testId: string
  readonly disabled?: boolean
  readonly act: (signal: AbortSignal) => Promise<void>
  /** Stands between the button and the reason. */
  readonly children?: ReactNode
}

const LOOKS = { plain: 'button', primary: 'button primary', text: 'text-button' } as const

export const ActButton = (props: ActButtonProps) => {
  const { caption, running = caption, icon, look = 'plain', disabled = false } = props
  const { state, ask } = useAsked()
  const isRunning = state.kind === 'asking'
  return (
    <>
      <button
        type="button"
        className={LOOKS[look]}
        data-testid={props.testId}
        disabled={disabled || isRunning}
        onClick={() => ask(props.act)}
      >
        {icon !== undefined && <Icon name={icon} />}
        <span>{isRunning ? running : caption}</span>
      </button>
      {props.children}
      {state.kind === 'failed' && (
        <p className="problem" role="alert">
          {state.why}
        </p>
      )}
    </>
  )
}
