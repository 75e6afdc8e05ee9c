// The lookups that one verification makes at public chains and sources: a few at a time, within one deadline.
import {
  type GetJson,
  httpLookups,
  type LookupAddresses,
  type Lookups,
} from '../../../shared/proof/lookups/lookup.ts'
import { boundedRequest, RequestFailed } from '../../outgoing/bounded_request.ts'

interface LookupBounds {
  /** Milliseconds for one question. */
  readonly oneMs: number
  /** Milliseconds for all questions of one verification together. */
  readonly allMs: number
  readonly atATime: number
}

/** The verifier limits the number of different questions. */
const BOUNDS: LookupBounds = { oneMs: 10_000, allMs: 25_000, atATime: 6 }

const MAX_BYTES = 1_048_576

/** Who waits for a verification, if anybody does. */
export interface WaitingCaller {
  /** Aborted when nobody waits any more. Questions end then. */
  readonly signal?: AbortSignal | undefined
  /** Called after each answer, with the numbers of answers and of questions so far. */
  readonly answered?: ((count: number, asked: number) => void) | undefined
}

/** For one verification only. Make new ones for the next. */
export const outsideLookups = (
  addresses: LookupAddresses,
  bounds: LookupBounds = BOUNDS,
  waiting: WaitingCaller = {},
): Lookups =>
  httpLookups({ getJson: counted(waiting, fewAtATime(bounds, getJson(bounds, waiting))), addresses })

function counted({ answered }: WaitingCaller, ask: GetJson): GetJson {
  let asked = 0
  let count = 0
  return async (url) => {
    asked += 1
    try {
      return await ask(url)
    } finally {
      count += 1
      answered?.(count, asked)
    }
  }
}

function getJson({ oneMs, allMs }: LookupBounds, waiting: WaitingCaller): GetJson {
  const deadline = AbortSignal.timeout(allMs)
  const signal = waiting.signal === undefined ? deadline : AbortSignal.any([deadline, waiting.signal])
  return async (url) => {
    if (signal.aborted) return { failure: `no time was left to ask ${new URL(url).host}` }
    try {
      const { status, body } = await boundedRequest(url, {
        timeoutMs: oneMs,
        maxBytes: MAX_BYTES,
        headers: { accept: 'application/json' },
        signal,
      })
      return { status, body: jsonIn(body) }
    } catch (error) {
      if (error instanceof RequestFailed) return { failure: error.message }
      throw error
    }
  }
}

/** Returns undefined when the bytes are not JSON. */
function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function fewAtATime({ atATime }: LookupBounds, ask: GetJson): GetJson {
  let running = 0
  const waiting: (() => void)[] = []
  return async (url) => {
    if (running === atATime) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await ask(url)
    } finally {
      // The next waiting question takes the place.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
