// A step of a timeline that was checked: by which rule, its mark, and the two values where they differ.
import type { ReactNode } from 'react'

export const stepMark = (ok: boolean) =>
  ok
    ? ({ 'data-tone': 'good', 'data-sign': '✓' } as const)
    : ({ 'data-tone': 'bad', 'data-sign': '!' } as const)

type StepProps = {
  readonly name: string
  readonly rule: string | null
  readonly mark: Readonly<Record<`data-${string}`, string>>
  readonly children?: ReactNode
}

export const Step = ({ name, rule, mark, children }: StepProps) => (
  <li {...mark}>
    <h3>{name}</h3>
    <p className="note">{rule}</p>
    {children}
  </li>
)

/** Its content stands for the two values, unless they differ. */
type ComputedStepProps = Omit<StepProps, 'mark'> & {
  /** The value of the service. */
  readonly expected: string
  /** Null when there is nothing left to compute it from. */
  readonly computed: string | null
  readonly ok: boolean
}

/** A value of the service that was computed in this browser too. */
export const ComputedStep = ({ name, rule, expected, computed, ok, children }: ComputedStepProps) => (
  <Step name={name} rule={rule} mark={computed === null ? {} : stepMark(ok)}>
    {ok || computed === null ? children : <Differs values={{ service: expected, here: computed }} />}
  </Step>
)

type DiffersProps = { readonly values: Readonly<Record<string, string | null>> }

/** Each value by whose it is. */
export const Differs = ({ values }: DiffersProps) => (
  <dl className="step-differs">
    {Object.entries(values).map(([whose, value]) => [
      <dt key={`${whose} name`}>{whose}</dt>,
      <dd key={whose}>
        <code>{value}</code>
      </dd>,
    ])}
  </dl>
)
