// The problems of a refused form: which field each belongs to, in the words of the service.
import { type ApiFailure, type Problem, sentence } from './api_failure.ts'

export type RefusedFields = {
  /** By the attribute's name on the wire. */
  readonly fields: ReadonlyMap<string, string>
  /** What belongs to no field, or null. */
  readonly whole: string | null
}

export const NO_REFUSAL: RefusedFields = { fields: new Map(), whole: null }

export const fieldRefusal = (field: string, words: string): RefusedFields => ({
  fields: new Map([[field, words]]),
  whole: null,
})

export const wholeRefusal = (words: string): RefusedFields => ({ fields: new Map(), whole: words })

/** What a form says of a problem, and at which field. A problem of the whole form has none. */
type WordsOf = (problem: Problem) => readonly [field: string | null, words: string]

/** The fields that a form has, or the form's own words. */
export type Refusals = readonly string[] | WordsOf

export const refusalOf = (failure: ApiFailure, refusals: Refusals): RefusedFields => {
  const wordsOf = typeof refusals === 'function' ? refusals : atFields(refusals)
  const fields = new Map<string, string>()
  const rest: string[] = []
  for (const [field, words] of failure.problems.map(wordsOf)) {
    if (field === null) rest.push(words)
    else if (!fields.has(field)) fields.set(field, words)
  }
  const nothingSaid = fields.size === 0 && rest.length === 0
  return { fields, whole: nothingSaid ? failure.message : rest.join(' ') || null }
}

const POINTER = /^\/data(?:\/attributes)?\/(\w+)/

const atFields =
  (known: readonly string[]): WordsOf =>
  ({ detail, pointer, code }) => {
    const field = POINTER.exec(pointer ?? '')?.[1] ?? ''
    if (!known.includes(field)) return [null, sentence(detail)]
    return [field, code === 'required' ? 'It is needed.' : `It ${detail}.`]
  }
