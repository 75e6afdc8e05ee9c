// A form that is sent to the service: what runs, and which fields were refused, by the page or by the service.
import { useState } from 'react'
import { ApiFailure } from './api_failure.ts'
import { NO_REFUSAL, type RefusedFields, refusedFields, wholeRefusal } from './refused_fields.ts'
import { useAsked } from './use_asked.ts'

type SentForm = {
  readonly sending: boolean
  readonly refused: RefusedFields
  /** What belongs to no field, or null. */
  readonly whole: string | null
  readonly problem: (field: string) => string | undefined
  /** Called with what the page itself refuses, before anything is sent. */
  readonly refuse: (refusal: RefusedFields) => void
  readonly send: (act: (signal: AbortSignal) => Promise<void>) => void
  /** Call when the person types again. */
  readonly clear: () => void
}

/**
 * `refusals` are the fields that the form has, or the form's own words for what was refused. `unsure` is said when no
 * readable answer came, so that nobody knows whether it was done.
 */
export const useSentForm = (
  refusals: readonly string[] | ((failure: ApiFailure) => RefusedFields),
  unsure: string,
): SentForm => {
  const { isAsking, why, ask } = useAsked()
  const [refused, setRefused] = useState(NO_REFUSAL)
  const sent = async (act: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> => {
    try {
      await act(signal)
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      const isUnsure = error.kind === 'unreachable' || error.kind === 'unreadable'
      if (isUnsure) setRefused(wholeRefusal(unsure))
      else setRefused(typeof refusals === 'function' ? refusals(error) : refusedFields(error, refusals))
    }
  }
  return {
    sending: isAsking,
    refused,
    whole: refused.whole ?? why,
    problem: (field) => refused.fields.get(field),
    refuse: setRefused,
    send: (act) => {
      setRefused(NO_REFUSAL)
      ask((signal) => sent(act, signal))
    },
    clear: () => setRefused(NO_REFUSAL),
  }
}
