// A form that is sent to the service: what its fields hold, what runs, whether it was done, and what was refused of it, by
// the page or in the words of the service.
import { type FormEvent, useState } from 'react'
import { ApiFailure, type Problem, sentence } from './api_failure.ts'
import { type Act, useAsked } from './use_asked.ts'

/** What is wrong, by the attribute's name on the wire. What belongs to no field is at null. */
type Refused = ReadonlyMap<string | null, string>

const NO_REFUSAL: Refused = new Map()

export const fieldRefusal = (field: string, words: string): Refused => new Map([[field, words]])

/** What a form says of a problem, and at which field. A problem of the whole form has none. */
type WordsOf = (problem: Problem) => readonly [field: string | null, words: string]

export type SentForm = Pick<ReturnType<typeof useSentForm>, 'isSending' | 'refused' | 'submit' | 'whole'>

/**
 * `first` is what its fields hold at first, each by the attribute's name on the wire. `unsure` is said when no readable
 * answer came, so that nobody knows whether it was done. `attempt` gives what the page itself refuses, or what sends the
 * form. `wordsOf` is the form's own words, where it has any.
 */
export const useSentForm = <Values extends object>(
  first: Values,
  unsure: string,
  attempt: (values: Values, set: (part: Partial<Values>) => void) => Refused | Act,
  wordsOf: WordsOf = wordsAt(Object.keys(first)),
) => {
  const { isAsking, why, ask } = useAsked()
  const [values, setValues] = useState(first)
  /** What came of what was sent last, until something is changed. */
  const [outcome, setOutcome] = useState<Refused | 'done'>(NO_REFUSAL)
  const refused = outcome === 'done' ? NO_REFUSAL : outcome
  const sent = async (act: Act, by: Parameters<Act>[0]): Promise<void> => {
    try {
      await act(by)
      setOutcome('done')
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      const isUnsure = error.kind === 'unreachable' || error.kind === 'unreadable'
      setOutcome(isUnsure ? new Map([[null, unsure]]) : refusalOf(error, wordsOf))
    }
  }
  const problem = (field: string) => refused.get(field)
  /** What was refused was so before this change. */
  const change = (next: (now: Values) => Values): void => {
    setOutcome(NO_REFUSAL)
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
    isDone: outcome === 'done',
    refused,
    /** What belongs to no field, or null. */
    whole: refused.get(null) ?? why,
    problem,
    submit: (event: FormEvent): void => {
      event.preventDefault()
      const attempted = attempt(values, set)
      const isSent = typeof attempted === 'function'
      setOutcome(isSent ? NO_REFUSAL : attempted)
      if (isSent) ask((by) => sent(attempted, by))
    },
    /** Call when the person changes what was done, of what the form does not hold itself. */
    changed: (): void => setOutcome((now) => (now === 'done' ? NO_REFUSAL : now)),
  }
}

/** The first problem of each field, and all that belong to none. */
export const refusalOf = ({ problems, message }: ApiFailure, wordsOf: WordsOf): Refused => {
  const refused = new Map<string | null, string>()
  for (const [field, words] of problems.map(wordsOf)) {
    const before = refused.get(field)
    if (before === undefined) refused.set(field, words)
    else if (field === null) refused.set(field, `${before} ${words}`)
  }
  return refused.size === 0 ? new Map([[null, message]]) : refused
}

const POINTER = /^\/data(?:\/attributes)?\/(\w+)/

export const wordsAt =
  (known: readonly string[]): WordsOf =>
  ({ detail, pointer, code }) => {
    const field = POINTER.exec(pointer ?? '')?.[1] ?? ''
    if (!known.includes(field)) return [null, sentence(detail)]
    return [field, code === 'required' ? 'It is needed.' : `It ${detail}.`]
  }
