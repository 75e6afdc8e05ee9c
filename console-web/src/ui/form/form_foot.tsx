// The end of a form: its button, how it went, and the problem that belongs to no field.
import type { ReactNode } from 'react'

type FormFootProps = {
  readonly caption: string
  /** The caption while it runs. */
  readonly running: string
  readonly isRunning: boolean
  readonly testId: string
  readonly look?: 'primary' | 'plain'
  /** Said when it went well, and to screen readers too. */
  readonly outcome?: ReactNode
  readonly problem: string | null
}

export const FormFoot = (props: FormFootProps) => (
  <>
    <div className="form-foot">
      <button
        type="submit"
        className={props.look === 'plain' ? 'button' : 'button primary'}
        data-testid={props.testId}
        disabled={props.isRunning}
      >
        {props.isRunning ? props.running : props.caption}
      </button>
      <p role="status" data-testid="form-outcome">
        {props.outcome}
      </p>
    </div>
    {props.problem !== null && (
      <p className="problem" role="alert" data-testid="form-problem">
        {props.problem}
      </p>
    )}
  </>
)
