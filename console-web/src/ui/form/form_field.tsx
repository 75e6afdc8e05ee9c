// One field of a form: its name, its purpose, and the problem that the service reported.
import { type ReactNode, useId } from 'react'

export type FieldAttributes = {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string
}

type FormFieldProps = {
  readonly label: string
  readonly note?: ReactNode
  readonly problem?: string | undefined
  readonly children: (attributes: FieldAttributes) => ReactNode
}

export const FormField = ({ label, note, problem, children }: FormFieldProps) => {
  const id = useId()
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': problem !== undefined, 'aria-describedby': `${id}-note` })}
      <div id={`${id}-note`}>
        <FieldProblem>{problem}</FieldProblem>
        {note !== undefined && <small>{note}</small>}
      </div>
    </div>
  )
}

export const FieldProblem = ({ children }: { children: string | undefined }) =>
  children === undefined ? null : (
    <p className="problem" role="alert" data-testid="field-problem">
      {children}
    </p>
  )
