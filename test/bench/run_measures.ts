// Runs measures one after the other, each on a ground of its own; one that fails is reported, and the rest goes on.
import type { Measurement } from './measurement.ts'

interface Closable {
  readonly close: () => Promise<void>
}

export type MeasureOn<Ground> = (ground: Ground, say: (line: string) => void) => Promise<Measurement>

export interface Runner<Ground> {
  readonly openGround: () => Promise<Ground>
  /** Progress, for whoever watches. */
  readonly say: (line: string) => void
  /** The report. */
  readonly print: (text: string) => void
}

/** Answers the names of those that failed. */
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
    // What the measure said is worth more than that its ground did not close.
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
