// Reads the public entropy sources once a minute, shortly before the full minute at which blocks are cut.
import type { CaptureOutcome } from '../domain/entropy/capture_entropy.ts'
import { repeat } from '../kernel/flow/repeat.ts'
import type { Log } from '../kernel/log.ts'

interface EntropyClockOptions {
  /** The database's time, so that servers with different clocks agree on the slot. */
  readonly readNowMs: () => Promise<number>
  readonly capture: (
    now: { readonly slot: number; readonly nowMs: number },
    signal: AbortSignal,
  ) => Promise<readonly CaptureOutcome[]>
  readonly onOutcome: (outcome: CaptureOutcome) => void
  readonly onError: (error: unknown) => void
}

const MINUTE_MS = 60_000
/** Ten seconds for the sources to answer, and two to record the answers before the cut. */
const LEAD_MS = 12_000
/** The loop runs just after its time, so that the database's clock has passed it too. */
const MARGIN_MS = 5
const RETRY_MS = 2_000

/**
 * Has its own loop, so that a source that hangs delays nothing else. It starts at once. If no server has read the
 * sources in this slot, a new service then has witnesses from its first block on.
 */
export function startEntropyClock({ readNowMs, capture, onOutcome, onError }: EntropyClockOptions) {
  return repeat({
    firstMs: 0,
    everyMs: MINUTE_MS,
    retry: { firstMs: RETRY_MS, mostMs: RETRY_MS },
    onError,
    run: async (signal) => {
      const began = performance.now()
      const nowMs = await readNowMs()
      const sinceSlot = (nowMs + LEAD_MS) % MINUTE_MS
      const slot = Math.floor((nowMs + LEAD_MS) / MINUTE_MS)
      for (const outcome of await capture({ slot, nowMs }, signal)) onOutcome(outcome)
      return Math.max(0, MINUTE_MS - sinceSlot - (performance.now() - began)) + MARGIN_MS
    },
  })
}

/** Logs one line per outcome. A source that stays away gets one warning, and one more line when it is back. */
export function logCapture(log: Log, outcome: CaptureOutcome): void {
  if ('why' in outcome) log[outcome.news ? 'warn' : 'debug'](outcome, 'entropy.left_out')
  else log.info(outcome, 'entropy.captured')
}
