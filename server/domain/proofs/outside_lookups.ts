// How one verification asks the world: so many questions at a time, and all of them within a deadline.
import { type GetJson, httpLookups } from '../../../shared/proof/lookups/http_lookups.ts'
import type { Lookups } from '../../../shared/proof/lookups/lookup.ts'
import type { LookupAddresses } from '../../../shared/proof/lookups/lookup_places.ts'
import { boundedRequest, RequestFailed } from '../../kernel/bounded_request.ts'

export interface LookupBounds {
  /** Of one question, milliseconds. */
  readonly oneMs: number
  /** Of all questions of one verification together, milliseconds. */
  readonly allMs: number
  readonly atATime: number
}

/** How many different questions a bundle may ask at all is the verifier's to bound. */
const BOUNDS: LookupBounds = { oneMs: 10_000, allMs: 25_000, atATime: 6 }

const MAX_BYTES = 1_048_576

/** For one verification; make new ones for the next. */
export const outsideLookups = (addresses: LookupAddresses, bounds: LookupBounds = BOUNDS): Lookups =>
  httpLookups({ getJson: fewAtATime(bounds, getJson(bounds)), addresses })

function getJson({ oneMs, allMs }: LookupBounds): GetJson {
  const signal = AbortSignal.timeout(allMs)
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

/** Undefined for what is no JSON. */
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
      // Whoever waits takes the place over.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
