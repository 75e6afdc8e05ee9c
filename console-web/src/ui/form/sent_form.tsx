// A form that is sent to the service: its fields, its one button, and what came of it. The first field that was refused
// gets the focus.
import type { ReactNode } from 'react'
import type { SentForm as Sent } from '../../data/use_sent_form.ts'
import { Button, type Look } from '../button.tsx'
import { Problem } from '../problem.tsx'
import { useInvalidFocus } from './form_field.tsx'

type SentFormProps = {
  readonly form: Sent
  readonly className?: string
  readonly caption: string
  /** The caption while it runs. */
  readonly running: string
  readonly testId: string
  readonly look?: Look
  /** Said when it went well, and to screen readers too. */
  readonly outcome?: ReactNode
  readonly children: ReactNode
}

export const SentForm = ({ form, look = 'primary', className = '', ...props }: SentFormProps) => (
  <form
    ref={useInvalidFocus(form.refused)}
    className={`form-grid ${className}`}
    onSubmit={form.submit}
    noValidate
  >
    {props.children}
    <div className="form-foot">
      <Button type="submit" look={look} data-testid={props.testId} disabled={form.isSending}>
        {form.isSending ? props.running : props.caption}
      </Button>
      <p role="status" data-testid="form-outcome">
        {props.outcome}
      </p>
    </div>
    <Problem testId="form-problem">{form.whole}</Problem>
  </form>
)
