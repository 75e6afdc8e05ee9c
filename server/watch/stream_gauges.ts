// What the two streams of one process tell about themselves.
import type { Metrics } from '../kernel/metrics.ts'

/** Each name is an event, and its number how often it happened. */
interface StreamCounters {
  readonly connections_opened: number
  readonly connections_ended: number
}

export function countStreams({
  metrics,
  consoleStream: { counters },
  graphqlStream,
}: {
  readonly metrics: Metrics
  readonly consoleStream: { readonly counters: StreamCounters }
  readonly graphqlStream: { readonly connections: () => number }
}): void {
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
