// Starts traces where a collector is named. Nothing of them is loaded otherwise: it would cost time and memory.
import type { TraceChoices } from '../settings/trace_settings.ts'

/** Returns their end, which sends what waits and never rejects. */
export async function openTraces(choices: TraceChoices | undefined): Promise<() => Promise<void>> {
  if (choices === undefined) return async () => undefined
  const { startTracing } = await import('./traces.ts')
  return startTracing(choices)
}
