// A form that is sent to the service: what its fields hold, what runs, whether it was done, and which fields were refused,
// by the page or by the service.
import { type FormEvent, useState } from 'react'
import { ApiFailure } from './api_failure.ts'
import { NO_REFUSAL, type Refusals, type RefusedFields, refusalOf, wholeRefusal } from './refused_fields.ts'
import { type Act, useAsked } from './use_asked.ts'

export type SentForm = Pick<ReturnType<typeof useSentForm>, 'isSending' | 'refused' | 'submit' | 'whole'>

/**
 * `first` is what its fields hold at first, each by the attribute's name on the wire. `unsure` is said when no readable
 * answer came, so that nobody knows whether it was done. `attempt` gives what the page itself refuses, or what sends the
 * form.
 */
export const useSentForm = <Values extends object>(
  first: Values,
  unsure: string,
  attempt: (values: Values, set: (part: Partial<Values>) => void) => RefusedFields | Act,
  refusals: Refusals = Object.keys(first),
) => {
  const { isAsking, why, ask } = useAsked()
  const [values, setValues] = useState(first)
  const [refused, setRefused] = useState(NO_REFUSAL)
  const [isDone, setDone] = useState(false)
  const sent = async (act: Act, by: Parameters<Act>[0]): Promise<void> => {
    try {
      await act(by)
      setDone(true)
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      const isUnsure = error.kind === 'unreachable' || error.kind === 'unreadable'
      if (isUnsure) setRefused(wholeRefusal(unsure))
      else setRefused(refusalOf(error, refusals))
    }
  }
  const changed = (): void => setDone(false)
  const problem = (field: string) => refused.fields.get(field)
  /** What was refused was so before this change. */
  const change = (next: (now: Values) => Values): void => {
    changed()
    setRefused(NO_REFUSAL)
    setValues(next)
  }
  const set = (part: Partial<Values>): void => change((now) => ({ ...now, ...part }))
  return {
    values,
    set,
    /** For the field of a text. */
    field: <Name extends keyof Values & string>(name: Name) => ({
      value: values[name],
      problem: problem(name),
      onText: (text: Values[Name]): void => change((now) => ({ ...now, [name]: text })),
    }),
    isSending: isAsking,
    /** What was sent last was done, and nothing was changed since. */
    isDone,
    refused,
    /** What belongs to no field, or null. */
    whole: refused.whole ?? why,
    problem,
    submit: (event: FormEvent): void => {
      event.preventDefault()
      changed()
      const attempted = attempt(values, set)
      const isSent = typeof attempted === 'function'
      setRefused(isSent ? NO_REFUSAL : attempted)
      if (isSent) ask((by) => sent(attempted, by))
    },
    /** Call when the person changes what was done, of what the form does not hold itself. */
    changed,
  }
}
