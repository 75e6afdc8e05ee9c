// What the two streams of one process tell about themselves.
import type { Metrics } from './kernel/metrics.ts'
import type { WaysIn } from './ways_in.ts'

export function countStreams({
  metrics,
  consoleStream: { counters },
  graphqlStream,
}: Pick<WaysIn, 'consoleStream' | 'graphqlStream'> & { readonly metrics: Metrics }): void {
  const told = new Map<string, number>()
  metrics.atScrape(() => {
    const open = counters.connections_opened - counters.connections_ended
    metrics.set('pharos_stream_connections', { stream: 'console' }, open)
    metrics.set('pharos_stream_connections', { stream: 'graphql' }, graphqlStream.connections())
    for (const [event, count] of Object.entries(counters)) {
      metrics.count('pharos_console_stream_events_total', { event }, count - (told.get(event) ?? 0))
      told.set(event, count)
    }
  })
}
