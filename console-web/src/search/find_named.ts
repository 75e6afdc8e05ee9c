// Finds the pages of what a text names. One request per name, whatever the name turns out to be of.
import type { Api } from '../data/api_client.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { isJsonObject, type JsonObject, objectAt, textAt } from '../data/json_object.ts'
import { type Found, foundOf } from './found.ts'
import { questionOf } from './question_of.ts'
import type { Named } from './read_names.ts'

/**
 * Empty when there is nothing of this name that the caller may read.
 * @throws ApiFailure, or the signal's reason when aborted
 */
export const findNamed = async (
  api: Pick<Api, 'post'>,
  named: Named,
  signal: AbortSignal,
): Promise<readonly Found[]> => {
  const answer: unknown = await api.post('/gql', questionOf(named), {
    signal,
    contentType: 'application/json',
  })
  const data = objectAt(answer, 'data')
  const refused = errorsOf(answer)[0]
  // What does not exist is null without an error. An error means that the answer is not complete.
  if (data === null || refused !== undefined)
    throw new ApiFailure('server', textAt(refused, 'message') ?? 'The service could not look for it.')
  return Object.entries(data).flatMap(([field, value]) =>
    rowsOf(value).flatMap((row) => foundOf(field, row) ?? []),
  )
}

/** A field is one row, null, or a page of rows. */
const rowsOf = (value: unknown): readonly JsonObject[] => {
  if (!isJsonObject(value)) return []
  const { results } = value
  return Array.isArray(results) ? results.filter(isJsonObject) : [value]
}

const errorsOf = (answer: unknown): readonly unknown[] => {
  const errors = isJsonObject(answer) ? answer.errors : undefined
  return Array.isArray(errors) ? errors : []
}
