// Runs measures one after the other, each on its own ground. A failed measure becomes a row of the report,
// and the rest continues.
import type { Measurement } from './measurement.ts'
import type { Row } from './report.ts'
import { Started } from './started.ts'
import { within } from './within.ts'

/** A measure may have several rows, for example one for each number of connections. */
export type MeasureOn<Ground> = (
  ground: Ground,
  say: (line: string) => void,
) => Promise<Measurement | readonly Measurement[]>

export interface Runner<Ground> {
  readonly openGround: (started: Started) => Promise<Ground>
  /** Begins to watch the machine; the returned function tells what it did. */
  readonly watchMachine: () => Promise<() => Promise<string | undefined>>
  /** Prints progress. */
  readonly say: (line: string) => void
  /** When it is aborted, the measure under way fails and no other begins. */
  readonly stopped: AbortSignal
  /** The longest that a measure may take, in milliseconds. */
  readonly mostMs?: number
}

const MOST_MS = 30 * 60_000
/** What was given up fails at its next step, because what it works on has ended. */
const FAREWELL_MS = 5_000

export async function runMeasures<Ground>(
  measures: Readonly<Record<string, MeasureOn<Ground>>>,
  { openGround, watchMachine, say, stopped, mostMs = MOST_MS }: Runner<Ground>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, measure] of Object.entries(measures)) {
    if (stopped.aborted) {
      rows.push({ name, failure: 'not measured, because the bench was stopped' })
      continue
    }
    say(name)
    const began = performance.now()
    try {
      const stopWatching = await watchMachine()
      const measured = await runOne(async (started) => measure(await openGround(started), say), {
        say,
        stopped,
        mostMs,
      })
      const machine = await stopWatching()
      for (const row of [measured].flat()) {
        say(`  ${row.ours}, ratio ${row.ratio.toFixed(2)}, aim ${row.aim}: ${row.met ? 'met' : 'NOT met'}`)
        rows.push({ name, measured: row, machine })
      }
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      say(`  FAILED: ${error instanceof Error ? (error.stack ?? failure) : failure}`)
      rows.push({ name, failure })
    }
    say(`  (${Math.round((performance.now() - began) / 1_000)} s)`)
  }
  return rows
}

/** A measure below its aim is a result. One that failed is a defect. */
export const exitCodeOf = (rows: readonly Row[]): 0 | 1 => (rows.some((row) => 'failure' in row) ? 1 : 0)

/** Everything that the work has started is ended before this returns or throws. */
async function runOne<T>(
  work: (started: Started) => Promise<T>,
  { say, stopped, mostMs }: { say: (line: string) => void; stopped: AbortSignal; mostMs: number },
): Promise<T> {
  stopped.throwIfAborted()
  const started = new Started(say)
  const calledOff = Promise.withResolvers<never>()
  const onStop = () => calledOff.reject(stopped.reason)
  stopped.addEventListener('abort', onStop)
  const working = work(started)
  try {
    return await within(mostMs, 'The measure', Promise.race([working, calledOff.promise]))
  } finally {
    stopped.removeEventListener('abort', onStop)
    await started.end()
    await within(FAREWELL_MS, 'The rest of the measure', working).catch(() => undefined)
  }
}
