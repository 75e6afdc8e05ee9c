// Runs measures one after the other, each on its own ground. A failed measure is reported, and the rest
// continues.
import type { Measurement } from './measurement.ts'

interface Closable {
  readonly close: () => Promise<void>
}

export type MeasureOn<Ground> = (ground: Ground, say: (line: string) => void) => Promise<Measurement>

export interface Runner<Ground> {
  readonly openGround: () => Promise<Ground>
  /** Prints progress. */
  readonly say: (line: string) => void
  /** Prints the report. */
  readonly print: (text: string) => void
}

/** Returns the names of the failed measures. */
export async function runMeasures<Ground extends Closable>(
  measures: Readonly<Record<string, MeasureOn<Ground>>>,
  { openGround, say, print }: Runner<Ground>,
): Promise<string[]> {
  const failed: string[] = []
  for (const [name, measure] of Object.entries(measures)) {
    say(name)
    try {
      print(reportOf(await runOne(measure, openGround, say)))
    } catch (error) {
      failed.push(name)
      print(
        `${name}\n  FAILED    ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n\n`,
      )
    }
  }
  if (failed.length > 0) print(`Failed: ${failed.join(', ')}\n`)
  return failed
}

async function runOne<Ground extends Closable>(
  measure: MeasureOn<Ground>,
  openGround: () => Promise<Ground>,
  say: (line: string) => void,
): Promise<Measurement> {
  const ground = await openGround()
  try {
    return await measure(ground, say)
  } finally {
    // Only reported, because the result of the measure matters more than a failed close.
    await ground.close().catch((error: unknown) => say(`  the ground did not close: ${String(error)}`))
  }
}

const reportOf = ({ what, baseline, ours, ratio, aim, met, notes }: Measurement): string =>
  [
    what,
    `  baseline  ${baseline}`,
    `  ours      ${ours}`,
    `  ratio     ${ratio.toFixed(2)}   aim ${aim}   ${met ? 'met' : 'NOT met'}`,
    ...(notes === undefined ? [] : [`  ${notes}`]),
    '\n',
  ].join('\n')
