// Submits the entries of a draft, all in one batch.
import { toHex } from '../../../shared/proof/bytes.ts'
import { type JsonValue, memberAt } from '../../../shared/proof/json_value.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure, isTransient, unreadable } from '../data/api_failure.ts'
import { waitAfter } from '../data/retry_schedule.ts'
import { textAt } from '../data/shape.ts'
import { dayAndTime } from '../ui/format.ts'
import type { Entry, Outcome } from './draft.ts'

const ATTEMPTS = 6

type SubmitPorts = {
  readonly api: Pick<Api, 'post'>
  readonly signal: AbortSignal
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * The outcome of each entry, in order.
 * @param key another attempt with the same makes nothing twice, however often an answer is lost
 * @throws ApiFailure when the batch is refused as a whole, or cannot be sent for a while
 */
export const submitItems = async (
  { api, signal, wait }: SubmitPorts,
  entries: readonly Entry[],
  key: string,
): Promise<readonly Outcome[]> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      const asked = { data: { items: entries } }
      const answer = await api.post('/api/json/items/batch', asked, { signal, idempotencyKey: key })
      return readOutcomes(answer, entries.length)
    } catch (error) {
      if (attempt === ATTEMPTS || signal.aborted || !isTransient(error)) throw error
      await wait(waitAfter(attempt, error), signal)
      signal.throwIfAborted()
    }
}

/** @throws ApiFailure */
const readOutcomes = (answer: JsonValue, count: number): readonly Outcome[] => {
  const items = memberAt(memberAt(answer, 'result'), 'items')
  if (!Array.isArray(items) || items.length !== count) throw unreadable()
  return items.map((item): Outcome => {
    const id = textAt(item, 'id')
    return id === null ? { why: refusalOf(item) } : { id }
  })
}

const refusalOf = (item: JsonValue): string => {
  const errors = memberAt(item, 'errors')
  const details = (Array.isArray(errors) ? errors : []).flatMap((error) => textAt(error, 'detail') ?? [])
  return details.length === 0 ? 'It was refused.' : `It was refused: ${details.join('; ')}.`
}

/** What can be done about a batch that was refused as a whole. */
export const submitFailureWords = (failure: unknown): string => {
  if (!(failure instanceof ApiFailure)) return failure instanceof Error ? failure.message : String(failure)
  const meta = failure.problems[0]?.meta ?? {}
  if (failure.code === 'plan_limit') {
    const resets = Date.parse(textAt(meta, 'resets_at') ?? '')
    const when = Number.isNaN(resets) ? '' : ` It begins anew on ${dayAndTime(resets)}.`
    return `This is more than your plan has for a day. ${failure.message}${when} Submit fewer, or send them then.`
  }
  if (failure.code === 'forbidden') return 'You may read in this team, but not submit. Ask one of its owners.'
  if (isTransient(failure))
    return `${failure.message} It is not known whether the items were made. Send them again: nothing is made twice.`
  return failure.message
}

/** `crypto.randomUUID` exists on secure pages only, and the console may be served over plain HTTP. */
export const newIdempotencyKey = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)))
