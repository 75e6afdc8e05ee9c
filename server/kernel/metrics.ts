// What a server counts and measures about itself, in one table, in Prometheus text (exposition format 0.0.4).
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/**
 * Every metric. A counter only grows, a gauge is a present value, a histogram holds times in seconds. Label values
 * come from a closed set, never an id, a path or an address, because every new value is a new series that never ends.
 */
export const METRICS = {
  pharos_http_requests_total: {
    kind: 'counter',
    help: 'HTTP requests answered, by surface, class of status (2xx, 4xx …) and type of credential: api_key, access_token, refused (not valid) or none.',
    labels: ['surface', 'status', 'credential'],
  },
  pharos_http_refusals_total: {
    kind: 'counter',
    help: 'HTTP requests refused, by surface, type of credential and code; of several codes the first.',
    labels: ['surface', 'credential', 'code'],
  },
  pharos_http_request_seconds: {
    kind: 'histogram',
    help: 'Seconds from a request to the head of its answer.',
    labels: ['surface'],
  },
  pharos_scripts_total: {
    kind: 'counter',
    help: 'Agent scripts that ran, by how they ended: returned, threw, limit, stuck, aborted.',
    labels: ['end'],
  },
  pharos_script_cpu_seconds: {
    kind: 'histogram',
    help: 'Seconds of processor time of an agent script.',
    labels: [],
  },
  pharos_tool_calls_total: {
    kind: 'counter',
    help: 'Calls of agent tools, those of scripts among them, by what came of them.',
    labels: ['tool', 'outcome'],
  },
  pharos_stream_credentials_total: {
    kind: 'counter',
    help: 'Credentials shown to a stream, in a handshake or to refresh one, by type: api_key, access_token or refused.',
    labels: ['stream', 'credential'],
  },
  pharos_oauth_answers_total: {
    kind: 'counter',
    help: 'What the authorization server did, by endpoint (authorize, token, register, revoke) and outcome: granted, refused, or revoked.',
    labels: ['endpoint', 'outcome'],
  },
  pharos_block_height: { kind: 'gauge', help: 'Height of the newest block.', labels: [] },
  pharos_block_age_seconds: { kind: 'gauge', help: 'Age of the newest block.', labels: [] },
  pharos_chain_replaced_total: {
    kind: 'counter',
    help: 'How often the newest beacon shown by this server was gone from the ledger.',
    labels: [],
  },
  pharos_finalize_seconds: {
    kind: 'histogram',
    help: 'Seconds it took this server to finalize a block.',
    labels: [],
  },
  pharos_entropy_captures_total: {
    kind: 'counter',
    help: 'Public sources asked by this server, by what came of it.',
    labels: ['source', 'outcome'],
  },
  pharos_entropy_failing_seconds: {
    kind: 'gauge',
    help: 'How long a public source has failed on every server; 0 while it answers.',
    labels: ['source'],
  },
  pharos_commitments: {
    kind: 'gauge',
    help: 'Epochs that no public chain has confirmed, by state.',
    labels: ['state'],
  },
  pharos_stream_connections: {
    kind: 'gauge',
    help: 'Console stream connections open on this server.',
    labels: [],
  },
  pharos_webhook_attempts_total: {
    kind: 'counter',
    help: 'Webhook requests this server made, by what the delivery became: pending means that it is tried again.',
    labels: ['status'],
  },
  pharos_webhook_blocked_total: {
    kind: 'counter',
    help: 'Webhook requests that were not made because their host leads to a private or reserved address.',
    labels: [],
  },
  pharos_webhook_queue_age_seconds: {
    kind: 'gauge',
    help: 'How long the oldest webhook delivery that is due has waited.',
    labels: [],
  },
} as const satisfies Record<string, Row>

interface Row {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
}

type Table = typeof METRICS
type NameOf<Kind extends Row['kind']> = {
  [Name in keyof Table]: Table[Name]['kind'] extends Kind ? Name : never
}[keyof Table]

/** One value for every label of the metric. */
export type LabelsOf<Name extends keyof Table> = Readonly<Record<Table[Name]['labels'][number], string>>

export interface Metrics {
  readonly count: <Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number) => void
  readonly set: <Name extends NameOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number) => void
  /** @param seconds how long it took */
  readonly time: <Name extends NameOf<'histogram'>>(
    name: Name,
    labels: LabelsOf<Name>,
    seconds: number,
  ) => void
  /**
   * Runs `read` before every scrape, for gauges whose values come from elsewhere (the database). When `read` throws,
   * `onError` gets the error and its gauges keep their old values, so that the scrape still reports everything else.
   */
  readonly atScrape: (read: () => Promise<void> | void) => void
  readonly scrape: (
    onError: (error: unknown) => void,
  ) => Promise<{ readonly type: string; readonly text: string }>
}

/** Seconds. From a cached read to a block of 180,000 items. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Creates a new registry. Two servers in one process share nothing.
 * @param withProcess adds memory, CPU, event loop and garbage collection. Use it once per process, because its
 * observers never end.
 */
export function createMetrics({ withProcess = false } = {}): Metrics {
  const registry = new Registry()
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  for (const [name, { kind, help, labels }] of Object.entries<Row>(METRICS)) {
    const wanted = { name, help, labelNames: [...labels], registers: [registry] }
    switch (kind) {
      case 'counter':
        counters.set(name, new Counter(wanted))
        break
      case 'gauge':
        gauges.set(name, new Gauge(wanted))
        break
      case 'histogram':
        histograms.set(name, new Histogram({ ...wanted, buckets: BUCKETS }))
        break
      default:
        kind satisfies never
    }
  }
  if (withProcess) collectDefaultMetrics({ register: registry })
  const readers: (() => Promise<void> | void)[] = []
  return Object.freeze({
    count: (name, labels, by = 1) => counters.get(name)?.inc({ ...labels }, by),
    set: (name, labels, value) => gauges.get(name)?.set({ ...labels }, value),
    time: (name, labels, seconds) => histograms.get(name)?.observe({ ...labels }, seconds),
    atScrape: (read) => void readers.push(read),
    scrape: async (onError) => {
      const read = await Promise.allSettled(readers.map(async (each) => each()))
      for (const outcome of read) if (outcome.status === 'rejected') onError(outcome.reason)
      return { type: registry.contentType, text: await registry.metrics() }
    },
  } satisfies Metrics)
}
