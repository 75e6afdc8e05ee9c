// What one verification may ask the world: so many questions, so many at a time, and all of them within a deadline.
import { type GetJson, httpLookups, type LookupAddresses } from '../../../shared/proof/http_lookups.ts'
import type { Lookups } from '../../../shared/proof/lookups.ts'
import { boundedRequest, RequestFailed } from '../../kernel/bounded_request.ts'

export interface LookupBounds {
  /** Of one question, milliseconds. */
  readonly oneMs: number
  /** Of all questions of one verification together, milliseconds. */
  readonly allMs: number
  readonly atATime: number
  /** Questions; the checks that would need more are skipped. */
  readonly most: number
}

/**
 * A bundle of ours needs nine lookups at most. One that is made to have us ask for hundreds of transactions must not
 * turn this service against a public API.
 */
const BOUNDS: LookupBounds = { oneMs: 10_000, allMs: 25_000, atATime: 6, most: 32 }

const MAX_BYTES = 1_048_576

/** For one verification; make new ones for the next. */
export const outsideLookups = (addresses: LookupAddresses, bounds: LookupBounds = BOUNDS): Lookups =>
  httpLookups({ getJson: askedOnce(atMost(bounds, getJson(bounds))), addresses })

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

/** The same question again is answered from the first time. */
function askedOnce(ask: GetJson): GetJson {
  const asked = new Map<string, ReturnType<GetJson>>()
  return (url) => {
    const known = asked.get(url) ?? ask(url)
    asked.set(url, known)
    return known
  }
}

function atMost({ most, atATime }: LookupBounds, ask: GetJson): GetJson {
  let asked = 0
  let running = 0
  const waiting: (() => void)[] = []
  return async (url) => {
    asked += 1
    if (asked > most) return { failure: `only ${most} lookups are made for one proof` }
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
