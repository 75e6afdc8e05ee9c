// Finds the pages of what a text names. One request per name, whatever the name turns out to be of.
import { type ItemName, questionOf } from '../../../shared/search/question_of.ts'
import type { Named } from '../../../shared/search/read_names.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { isJsonObject, type JsonObject, numberAt, objectAt, textAt } from '../data/json_object.ts'
import { type Found, foundOf, foundRange } from './found.ts'

/**
 * Empty when there is nothing of this name that the caller may read.
 * @throws ApiFailure, or the signal's reason when aborted
 */
export const findNamed = async (
  api: Pick<Api, 'post'>,
  named: Named | ItemName,
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
  if (named.kind === 'time') return ofTime(named, data)
  return Object.entries(data).flatMap(([field, value]) =>
    rowsOf(value).flatMap((row) => foundOf(field, row) ?? []),
  )
}

/** Around a moment, the rows of half an hour on either side. */
const HALF_AROUND_MS = 1_800_000

/** The rows of that time, and the blocks around its beginning. Where the chain begins later, its first block alone. */
const ofTime = ({ from, until }: Extract<Named, { kind: 'time' }>, data: JsonObject): readonly Found[] => {
  const [[after], [before]] = [rowsOf(data.block_after), rowsOf(data.block_before)]
  const isSpan = until !== null && until - from > 2 * HALF_AROUND_MS
  const [first, last] = isSpan ? [from, until - 1] : [from - HALF_AROUND_MS, from + HALF_AROUND_MS]
  const isFirst = before === undefined && numberAt(after, 'height') === 0
  const isEarlier = isFirst && Date.parse(textAt(after, 'finalizedAt') ?? '') > last
  return [
    ...(isEarlier || (after === undefined && before === undefined) ? [] : [foundRange(first, last)]),
    ...(after === undefined ? [] : [foundOf(isFirst ? 'block_begin' : 'block_after', after)]),
    ...(before === undefined ? [] : [foundOf('block_before', before)]),
  ].filter((one) => one !== null)
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
