// Counts and measures in one process, and shows them as Prometheus text (exposition format 0.0.4).
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { DATABASE_METRICS } from './database_metrics.ts'
import { type MetricRow, SERVICE_METRICS } from './metric_table.ts'

export const METRICS = { ...SERVICE_METRICS, ...DATABASE_METRICS } as const

type Table = typeof METRICS

type MetricName = keyof Table

export type NameOf<Kind extends MetricRow['kind']> = {
  [Name in MetricName]: Table[Name]['kind'] extends Kind ? Name : never
}[MetricName]

/** One value for every label of the metric. */
type LabelsOf<Name extends MetricName> = Table[Name] extends { readonly labels: readonly (infer Label)[] }
  ? Readonly<Record<Label & string, string>>
  : Readonly<Record<never, string>>

const isGauge = (name: string): name is NameOf<'gauge'> =>
  Object.entries<MetricRow>(METRICS).some(([one, { kind }]) => one === name && kind === 'gauge')

const GAUGES: readonly NameOf<'gauge'>[] = Object.keys(METRICS).filter(isGauge)

/** The metrics of one process, in a form that can be sent to another one. */
export type Snapshot = readonly object[]

export interface MetricsText {
  readonly type: string
  readonly text: string
}

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Creates a new registry. Two servers in one process share nothing.
 * @param withProcess adds memory, CPU, event loop and garbage collection. Use it once per process, because its
 * observers never end.
 */
export function createMetrics({ withProcess = false } = {}) {
  const registry = new Registry()
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  for (const [name, { kind, help, labels = [], buckets = [], across = 'sum' }] of Object.entries<MetricRow>(
    METRICS,
  )) {
    const wanted = { name, help, labelNames: [...labels], registers: [registry] }
    switch (kind) {
      case 'counter':
        counters.set(name, new Counter(wanted))
        break
      case 'gauge':
        gauges.set(name, new Gauge({ ...wanted, aggregator: across }))
        break
      case 'histogram':
        histograms.set(name, new Histogram({ ...wanted, buckets: [...buckets] }))
        break
      default:
        kind satisfies never
    }
  }
  /** Removes all values of a gauge, so that a value that is no longer known is absent and not old. */
  const unset = (name: NameOf<'gauge'>): void => {
    const gauge = gauges.get(name)
    gauge?.reset()
    // A gauge without labels shows 0 after a reset.
    if (!('labels' in METRICS[name])) gauge?.remove()
  }
  for (const name of GAUGES) unset(name)
  if (withProcess) collectDefaultMetrics({ register: registry })
  const readers: (() => Promise<void> | void)[] = []
  const read = async (onError: (error: unknown) => void): Promise<void> => {
    const outcomes = await Promise.allSettled(readers.map(async (each) => each()))
    for (const outcome of outcomes) if (outcome.status === 'rejected') onError(outcome.reason)
  }
  return Object.freeze({
    count: <Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by = 1): void =>
      counters.get(name)?.inc({ ...labels }, by),
    set: <Name extends NameOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void =>
      gauges.get(name)?.set({ ...labels }, value),
    unset,
    /** @param value in the unit that the name ends with: seconds, or things that are counted */
    observe: <Name extends NameOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, value: number): void =>
      histograms.get(name)?.observe({ ...labels }, value),
    /**
     * Runs the reader before every scrape, for gauges whose values come from elsewhere. When it throws, `onError` gets
     * the error, and the scrape still reports everything else.
     */
    atScrape: (reader: () => Promise<void> | void): void => void readers.push(reader),
    scrape: async (onError: (error: unknown) => void): Promise<MetricsText> => {
      await read(onError)
      return { type: registry.contentType, text: await registry.metrics() }
    },
    /** The same as `scrape` in the form for `scrapeTogether`. */
    snapshot: async (onError: (error: unknown) => void): Promise<Snapshot> => {
      await read(onError)
      return registry.getMetricsAsJSON()
    },
  })
}

/**
 * One text for several processes of one server. Counters and histograms are added up; `across` in the table says what
 * becomes of each gauge.
 */
export async function scrapeTogether(snapshots: readonly Snapshot[]): Promise<MetricsText> {
  const registry = AggregatorRegistry.aggregate([...snapshots])
  return { type: Registry.PROMETHEUS_CONTENT_TYPE, text: await registry.metrics() }
}
