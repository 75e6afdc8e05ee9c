// Submits the entries of a draft in batches. A repeated attempt has the same keys, so nothing is made twice,
// however often an answer is lost.
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure, isTransient } from '../data/api_failure.ts'
import { textAt } from '../data/json_object.ts'
import { retryDelay } from '../data/retry_schedule.ts'
import type { Entry, Outcome, Sent } from './draft.ts'

/** The most items that the service takes in one batch. */
const BATCH_ITEMS = 250
/** Below the largest request body of the service, with room for a few items of a kilobyte each. */
const BATCH_BYTES = 400_000
const ATTEMPTS = 6

export type Batch = { readonly first: number; readonly entries: readonly Entry[] }

/** The same batches for the same entries, because the keys of the requests depend on them. */
export const batchesOf = (entries: readonly Entry[]): readonly Batch[] => {
  const batches: { first: number; entries: Entry[] }[] = []
  let bytes = 0
  for (const [index, entry] of entries.entries()) {
    const size = new TextEncoder().encode(JSON.stringify(entry)).length
    const last = batches.at(-1)
    if (last === undefined || last.entries.length === BATCH_ITEMS || bytes + size > BATCH_BYTES) {
      batches.push({ first: index, entries: [entry] })
      bytes = size
    } else {
      last.entries.push(entry)
      bytes += size
    }
  }
  return batches
}

type SubmitPorts = {
  readonly api: Api
  readonly signal: AbortSignal
  /** Called after each batch. */
  readonly onSent: (sent: Sent) => void
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Sends what has no outcome yet, batch by batch.
 * @throws ApiFailure when a batch is refused as a whole, or cannot be sent for a while
 */
export const submitItems = async (
  { api, signal, onSent, wait }: SubmitPorts,
  entries: readonly Entry[],
  sent: Sent,
): Promise<Sent> => {
  let now = sent
  for (const batch of batchesOf(entries)) {
    const wanted = now.outcomes.slice(batch.first, batch.first + batch.entries.length)
    if (wanted.every((outcome) => outcome !== null)) continue
    const answer = await repeated(signal, wait, () =>
      api.post(
        '/api/json/items/batch',
        { data: { items: batch.entries } },
        { signal, idempotencyKey: `${sent.key}-${batch.first}` },
      ),
    )
    const outcomes = readOutcomes(answer, batch.entries.length)
    now = {
      ...now,
      outcomes: now.outcomes.map((outcome, index) => outcomes[index - batch.first] ?? outcome),
    }
    onSent(now)
  }
  return now
}

const repeated = async <T>(
  signal: AbortSignal,
  wait: SubmitPorts['wait'],
  act: () => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await act()
    } catch (error) {
      if (attempt === ATTEMPTS || signal.aborted || !isTransient(error)) throw error
      await wait(
        retryDelay(attempt, Math.random(), error instanceof ApiFailure ? error.retryAfterMs : 0),
        signal,
      )
    }
}

/** @throws ApiFailure */
const readOutcomes = (answer: JsonValue, count: number): readonly Outcome[] => {
  const result = isJsonObject(answer) ? memberOf(answer, 'result') : undefined
  const items = isJsonObject(result) ? memberOf(result, 'items') : undefined
  if (!Array.isArray(items) || items.length !== count)
    throw new ApiFailure('unreadable', 'The server sent something this page cannot read.')
  return items.map((item): Outcome => {
    const id = textAt(item, 'id')
    if (id !== null) return { id }
    return { why: isJsonObject(item) ? refusalOf(item) : 'It was refused.' }
  })
}

const refusalOf = (item: JsonObject): string => {
  const errors = memberOf(item, 'errors')
  const details = (Array.isArray(errors) ? errors : []).flatMap((error) => textAt(error, 'detail') ?? [])
  return details.length === 0 ? 'It was refused.' : `It was refused: ${details.join('; ')}.`
}

/** What can be done about a batch that was refused as a whole. */
export const submitFailureWords = (failure: unknown): string => {
  if (!(failure instanceof ApiFailure)) return failure instanceof Error ? failure.message : String(failure)
  const meta = failure.problems[0]?.meta ?? {}
  if (failure.code === 'plan_limit') {
    const resets = typeof meta.resets_at === 'string' ? meta.resets_at.slice(0, 16).replace('T', ' ') : null
    const when = resets === null ? '' : ` It begins anew at ${resets} UTC.`
    return `This is more than your plan has for a day. ${failure.message}${when} Submit fewer, or send them then.`
  }
  if (failure.code === 'forbidden') return 'You may read in this team, but not submit. Ask one of its owners.'
  if (isTransient(failure))
    return `${failure.message} It is not known whether the items were made. Send them again: nothing is made twice.`
  return failure.message
}

/** `crypto.randomUUID` exists on secure pages only, and the console may be served over plain HTTP. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
