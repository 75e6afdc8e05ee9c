// A button that asks the service for something at once, and says why it was not done.
import type { ReactNode } from 'react'
import { type Act, useAsked } from '../../data/use_asked.ts'
import { Button, type Look } from '../button.tsx'
import { Icon, type IconName } from '../icon.tsx'
import { Problem } from '../problem.tsx'

type ActButtonProps = {
  readonly caption: string
  /** The caption while it runs. */
  readonly running?: string
  readonly icon?: IconName
  readonly look?: Look
  readonly testId: string
  readonly disabled?: boolean
  /** The id of what is said about it elsewhere. */
  readonly about?: string
  readonly act: Act
  readonly failureId?: string
  /** Stands between the button and the reason. */
  readonly children?: ReactNode
}

export const ActButton = (props: ActButtonProps) => {
  const { caption, running = caption, icon, look, disabled = false } = props
  const { isAsking, why, ask } = useAsked()
  return (
    <>
      <Button
        look={look}
        data-testid={props.testId}
        aria-describedby={props.about}
        disabled={disabled || isAsking}
        onClick={() => ask(props.act)}
      >
        {icon !== undefined && <Icon name={icon} />}
        <span>{isAsking ? running : caption}</span>
      </Button>
      {props.children}
      <Problem testId={props.failureId}>{why}</Problem>
    </>
  )
}
