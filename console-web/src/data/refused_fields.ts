// The problems of a refused form: which field each belongs to, in the words of the service.
import { type ApiFailure, sentence } from './api_failure.ts'

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

const POINTER = /^\/data(?:\/attributes)?\/(\w+)/

/** `known` are the fields that the form has. A problem of any other is one of the whole form. */
export const refusedFields = (failure: ApiFailure, known: readonly string[]): RefusedFields => {
  const fields = new Map<string, string>()
  const rest: string[] = []
  for (const { detail, pointer, code } of failure.problems) {
    const field = POINTER.exec(pointer ?? '')?.[1] ?? ''
    if (!known.includes(field)) rest.push(sentence(detail))
    else if (!fields.has(field)) fields.set(field, code === 'required' ? 'It is needed.' : `It ${detail}.`)
  }
  const nothingSaid = fields.size === 0 && rest.length === 0
  return { fields, whole: nothingSaid ? failure.message : rest.join(' ') || null }
}
