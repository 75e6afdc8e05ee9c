// Runs measures one after the other, each on its own ground. A failed measure becomes a row of the report,
// and the rest continues.
import type { Measurement } from './measurement.ts'
import type { Row } from './report.ts'

interface Closable {
  readonly close: () => Promise<void>
}

/** A measure may have several rows, for example one for each number of connections. */
export type MeasureOn<Ground> = (
  ground: Ground,
  say: (line: string) => void,
) => Promise<Measurement | readonly Measurement[]>

export interface Runner<Ground> {
  readonly openGround: () => Promise<Ground>
  /** Begins to watch the machine; the returned function tells what it did. */
  readonly watchMachine: () => Promise<() => Promise<string | undefined>>
  /** Prints progress. */
  readonly say: (line: string) => void
}

export async function runMeasures<Ground extends Closable>(
  measures: Readonly<Record<string, MeasureOn<Ground>>>,
  { openGround, watchMachine, say }: Runner<Ground>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, measure] of Object.entries(measures)) {
    say(name)
    try {
      const stopWatching = await watchMachine()
      const measured = await runOne(measure, openGround, say)
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
  }
  return rows
}

async function runOne<Ground extends Closable>(
  measure: MeasureOn<Ground>,
  openGround: () => Promise<Ground>,
  say: (line: string) => void,
): Promise<Measurement | readonly Measurement[]> {
  const ground = await openGround()
  try {
    return await measure(ground, say)
  } finally {
    // Only reported, because the result of the measure matters more than a failed close.
    await ground.close().catch((error: unknown) => say(`  the ground did not close: ${String(error)}`))
  }
}
