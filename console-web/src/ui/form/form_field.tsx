// The fields of a form, each with its name, its purpose and the problem that the service reported.
import { type AriaAttributes, type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import { Problem } from '../problem.tsx'
import { type Choosing, Select } from './choice.tsx'

type FormFieldProps = {
  readonly label: string
  readonly note?: ReactNode
  readonly problem?: string | undefined
  readonly children: (attributes: AriaAttributes & { readonly id: string }) => ReactNode
}

const FormField = ({ label, note, problem, children }: FormFieldProps) => {
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

type TextFieldProps<Tag extends 'input' | 'textarea'> = Omit<FormFieldProps, 'children'> &
  Omit<ComponentProps<Tag>, 'onChange'> & {
    readonly testId: string
    readonly value: string
    readonly onText: (text: string) => void
  }

/** The field of a text of several lines. */
export const AreaField = (props: TextFieldProps<'textarea'>) => {
  const { label, note, problem, testId, onText, ...area } = props
  return (
    <FormField label={label} note={note} problem={problem}>
      {(field) => (
        <textarea {...area} {...field} data-testid={testId} onChange={({ target }) => onText(target.value)} />
      )}
    </FormField>
  )
}

/** The field of a short text, a time or a date. */
export const InputField = ({ label, note, problem, testId, onText, ...input }: TextFieldProps<'input'>) => (
  <FormField label={label} note={note} problem={problem}>
    {(field) => (
      <input
        type="text"
        autoComplete="off"
        {...input}
        {...field}
        data-testid={testId}
        onChange={({ target }) => onText(target.value)}
      />
    )}
  </FormField>
)

type SelectFieldProps<Value extends string> = Choosing<Value> &
  Omit<FormFieldProps, 'children'> & { readonly testId: string }

export const SelectField = <Value extends string>(props: SelectFieldProps<Value>) => {
  const { label, note, problem, testId, ...select } = props
  return (
    <FormField label={label} note={note} problem={problem}>
      {(field) => <Select {...select} {...field} data-testid={testId} />}
    </FormField>
  )
}

export const FieldProblem = ({ children }: { children: string | undefined }) => (
  <Problem testId="field-problem">{children}</Problem>
)

/** `refused` is another value for each refusal, and the same one while nothing was refused. */
export const useInvalidFocus = (refused: unknown) => {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal moves the focus
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]:not([hidden] *)')?.focus()
  }, [refused])
  return form
}
