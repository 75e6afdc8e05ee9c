// Every metric but those of databases: name, kind, help, labels, buckets, and how the values of several processes become
// one.

/** From a cached read to a block of 180,000 items. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** For histograms with a series for each operation, so that a scrape stays small. */
export const FEW_SECONDS = [0.005, 0.025, 0.1, 0.25, 1, 5, 30]

const MINUTES = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600, 3_600]

const SIZES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

/**
 * A counter only grows, a gauge is a present value, a histogram counts values up to each bucket. Label values come from
 * a closed set, never an id, a path or an address, because every new value is a new series that never ends. The unit
 * is the end of the name: seconds, bytes, or things that are counted.
 */
export const SERVICE_METRICS = {
  pharos_build_info: {
    kind: 'gauge',
    across: 'first',
    help: 'Always 1. The labels are the versions of Pharos and of Node.',
    labels: ['version', 'node'],
  },
  pharos_http_requests_total: {
    kind: 'counter',
    help: 'HTTP requests answered, by surface, operation, class of status (2xx, 4xx …) and type of credential: api_key, access_token, refused (not valid) or none.',
    labels: ['surface', 'operation', 'status', 'credential'],
  },
  pharos_http_refusals_total: {
    kind: 'counter',
    help: 'HTTP requests refused, by surface, type of credential and code; of several codes the first.',
    labels: ['surface', 'credential', 'code'],
  },
  pharos_http_faults_total: {
    kind: 'counter',
    // No labels: shown as 0 from the start, because Prometheus sees no increase in a series that begins with 1.
    help: 'HTTP requests that met a fault of ours (code internal).',
  },
  pharos_http_request_seconds: {
    kind: 'histogram',
    help: 'Seconds from a request to the head of its answer, by surface and operation.',
    labels: ['surface', 'operation'],
    buckets: FEW_SECONDS,
  },
  pharos_scripts_total: {
    kind: 'counter',
    help: 'Agent scripts that ran, by how they ended: returned, threw, limit, stuck, aborted.',
    labels: ['end'],
  },
  pharos_script_cpu_seconds: {
    kind: 'histogram',
    help: 'Seconds of processor time of an agent script.',
    buckets: SECONDS,
  },
  pharos_tool_calls_total: {
    kind: 'counter',
    help: 'Calls of agent tools, those of scripts among them, by what came of them.',
    labels: ['tool', 'outcome'],
  },
  pharos_tool_call_seconds: {
    kind: 'histogram',
    help: 'Seconds that a call of an agent tool took.',
    labels: ['tool'],
    buckets: FEW_SECONDS,
  },
  pharos_stream_credentials_total: {
    kind: 'counter',
    help: 'Credentials shown to a stream, in a handshake or to refresh one, by type: api_key, access_token or refused.',
    labels: ['stream', 'credential'],
  },
  pharos_replica_used: {
    kind: 'gauge',
    across: 'min',
    help: 'Whether lists and counts are read from the replica (1) or from the primary (0); absent without a replica.',
  },
  pharos_replica_lag_seconds: {
    kind: 'gauge',
    across: 'max',
    help: 'How far the replica is behind the primary; absent while it does not answer.',
  },
  pharos_workers: {
    kind: 'gauge',
    help: 'Worker processes that answer clients; absent while one process does everything.',
  },
  pharos_stream_connections: {
    kind: 'gauge',
    help: 'Clients connected to a stream of this server: console (Socket.IO) or graphql (subscriptions).',
    labels: ['stream'],
  },
  pharos_connections_refused_total: {
    kind: 'counter',
    help: 'TCP connections that were closed at once because the server, or their address, had as many as it may.',
    labels: ['of'],
  },
  pharos_stream_refusals_total: {
    kind: 'counter',
    help: 'Handshakes of a stream that were refused, by code: for a ceiling, a spent budget, or what they said of themselves.',
    labels: ['stream', 'code'],
  },
  pharos_console_stream_events_total: {
    kind: 'counter',
    help: 'What happened on the console stream, by event: connections, commands, beacons and events sent, resumes after an id.',
    labels: ['event'],
  },
  pharos_oauth_answers_total: {
    kind: 'counter',
    help: 'What the authorization server did, by endpoint (authorize, token, register, revoke) and outcome: granted, refused, or revoked.',
    labels: ['endpoint', 'outcome'],
  },
  pharos_calendar_inexpressible_total: {
    kind: 'counter',
    // No labels, as that of faults.
    help: 'Timestamps of the OpenTimestamps calendar that were asked for and can never be told: the proof is longer or deeper than clients read, or is on a chain for trials alone. The log has the reason.',
  },
  pharos_budget_refusals_total: {
    kind: 'counter',
    help: 'Charges that a budget refused.',
    labels: ['budget'],
  },
  pharos_budget_database_away: {
    kind: 'gauge',
    across: 'max',
    help: '1 while budgets are not shared between servers because the database does not answer them.',
  },
  pharos_block_height: { kind: 'gauge', across: 'max', help: 'Height of the newest block.' },
  pharos_block_age_seconds: { kind: 'gauge', across: 'min', help: 'Age of the newest block.' },
  pharos_block_interval_seconds: {
    kind: 'gauge',
    across: 'max',
    help: 'The setting BLOCK_INTERVAL: time from block to block.',
  },
  pharos_clock_behind_chain_seconds: {
    kind: 'gauge',
    across: 'max',
    help: 'How far the clock of the database is behind the newest block; 0 when it is not.',
  },
  pharos_chain_replaced_total: {
    kind: 'counter',
    help: 'How often the newest beacon shown by this server was gone from the ledger.',
  },
  pharos_log_behind: {
    kind: 'gauge',
    across: 'max',
    help: '1 while this server makes no block, because the ledger is behind what its public log has signed; otherwise 0.',
  },
  pharos_finalize_seconds: {
    kind: 'histogram',
    help: 'Seconds it took this server to finalize a block.',
    buckets: SECONDS,
  },
  pharos_finalize_lag_seconds: {
    kind: 'histogram',
    help: 'Seconds from the boundary of the clock at which a block was due to the time at which it was stored.',
    buckets: MINUTES,
  },
  pharos_block_leaves: {
    kind: 'histogram',
    help: 'Leaves of the blocks that this server finalized: items and observations.',
    buckets: SIZES,
  },
  pharos_submission_group_items: {
    kind: 'histogram',
    help: 'Items that were submitted one by one and stored in one transaction together.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  },
  pharos_round_leaves: {
    kind: 'histogram',
    help: 'Digests, or time-stamp tokens, that one round was made of, by kind: digests or tokens.',
    labels: ['kind'],
    buckets: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536],
  },
  pharos_round_leaves_waiting: {
    kind: 'gauge',
    help: 'Digests and tokens that wait for their round.',
  },
  pharos_time_stamp_clock_off: {
    kind: 'gauge',
    across: 'max',
    help: '1 while nothing is time-stamped, because the clock of the server differs from that of the database, or from too many time servers.',
  },
  pharos_time_stamps_total: {
    kind: 'counter',
    help: 'Time-stamp requests answered, by outcome: granted, or why not (bad_alg, bad_request, bad_data_format, time_not_available, unaccepted_policy, unaccepted_extension, system_failure).',
    labels: ['outcome'],
  },
  pharos_round_unconfirmed_seconds: {
    kind: 'gauge',
    across: 'min',
    help: 'How long the oldest round has waited for a public chain to confirm its block. 0 when none waits.',
    labels: ['chain'],
  },
  pharos_queue_age_seconds: {
    kind: 'gauge',
    across: 'min',
    help: 'How long the oldest entry of a queue has been due: deliveries (webhooks), facts (not yet deliveries), jobs, items (not in a block yet). 0 when none is.',
    labels: ['queue'],
  },
  pharos_webhook_attempts_total: {
    kind: 'counter',
    help: 'Webhook requests this server made, and deliveries it first answered to readers, by what the delivery became: pending means that it is tried again.',
    labels: ['kind', 'status'],
  },
  pharos_webhook_attempt_seconds: {
    kind: 'histogram',
    help: 'Seconds from the start of a webhook request to its end.',
    buckets: SECONDS,
  },
  pharos_webhook_blocked_total: {
    kind: 'counter',
    help: 'Webhook requests that were not made because their host leads to a private or reserved address.',
  },
  pharos_entropy_captures_total: {
    kind: 'counter',
    help: 'Public sources asked by this server, by what came of it.',
    labels: ['source', 'outcome'],
  },
  pharos_entropy_failing_seconds: {
    kind: 'gauge',
    across: 'min',
    help: 'How long a public source has failed on every server; 0 while it answers.',
    labels: ['source'],
  },
  pharos_commitments: {
    kind: 'gauge',
    across: 'max',
    help: 'Epochs that no public chain has confirmed, by state.',
    labels: ['state'],
  },
  pharos_witness_missing_seconds: {
    kind: 'gauge',
    across: 'min',
    help: 'How long a witness of the policy has not cosigned what it was offered. 0 when it cosigned the last time.',
    labels: ['witness'],
  },
  pharos_log_unwitnessed_blocks: {
    kind: 'gauge',
    across: 'min',
    help: 'Blocks behind the newest checkpoint that meets the quorum of the policy. Absent without a policy.',
  },
  pharos_public_chain_trouble: {
    kind: 'gauge',
    across: 'min',
    help: '1 while a public chain cannot be used or an epoch on it has failed.',
    labels: ['chain'],
  },
  pharos_public_chain_confirmed_age_seconds: {
    kind: 'gauge',
    across: 'min',
    help: 'Time since a public chain last confirmed an epoch. Absent until the first.',
    labels: ['chain'],
  },
  pharos_public_chain_waiting_seconds: {
    kind: 'gauge',
    across: 'min',
    help: 'How long the oldest epoch has waited for a public chain to confirm it. 0 when none waits.',
    labels: ['chain'],
  },
} as const satisfies Record<string, MetricRow>

export interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels?: readonly string[]
  /** Of a histogram: the upper ends of its buckets. */
  readonly buckets?: readonly number[]
  /** Of a gauge: the value for several processes of one server. By default, as of counters and histograms, the sum. */
  readonly across?: 'max' | 'min' | 'first'
}
