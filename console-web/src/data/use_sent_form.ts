// A form that is sent to the service: what runs, whether it was done, and which fields were refused, by the page or by the
// service.
import { type FormEvent, useState } from 'react'
import { ApiFailure } from './api_failure.ts'
import { NO_REFUSAL, type Refusals, type RefusedFields, refusalOf, wholeRefusal } from './refused_fields.ts'
import { useAsked } from './use_asked.ts'

export type SentForm = ReturnType<typeof useSentForm>

type Send = (signal: AbortSignal) => Promise<unknown>

/**
 * `unsure` is said when no readable answer came, so that nobody knows whether it was done. `attempt` gives what the page
 * itself refuses, or what sends the form.
 */
export const useSentForm = (refusals: Refusals, unsure: string, attempt: () => RefusedFields | Send) => {
  const { isAsking, why, ask } = useAsked()
  const [refused, setRefused] = useState(NO_REFUSAL)
  const [isDone, setDone] = useState(false)
  const sent = async (send: Send, signal: AbortSignal): Promise<void> => {
    try {
      await send(signal)
      setDone(true)
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      const isUnsure = error.kind === 'unreachable' || error.kind === 'unreadable'
      if (isUnsure) setRefused(wholeRefusal(unsure))
      else setRefused(refusalOf(error, refusals))
    }
  }
  const changed = (): void => setDone(false)
  return {
    isSending: isAsking,
    /** What was sent last was done, and nothing was changed since. */
    isDone,
    refused,
    /** What belongs to no field, or null. */
    whole: refused.whole ?? why,
    problem: (field: string) => refused.fields.get(field),
    submit: (event: FormEvent): void => {
      event.preventDefault()
      changed()
      const attempted = attempt()
      const isSent = typeof attempted === 'function'
      setRefused(isSent ? NO_REFUSAL : attempted)
      if (isSent) ask((signal) => sent(attempted, signal))
    },
    /** Call when the person changes what was done. */
    changed,
    /** Call when the person changes what was refused. */
    clear: (): void => {
      changed()
      setRefused(NO_REFUSAL)
    },
  }
}
