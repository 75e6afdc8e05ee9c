// Gauges of the database, whose scrapes within a short time share one reading, and of this process: version, connections,
// budgets, disk.
import { statfs } from 'node:fs/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import manifest from '../../package.json' with { type: 'json' }
import type { ConfiguredChain } from '../domain/commitments/chains/configured_chains.ts'
import { chainStandings, unconfirmedCommitments } from '../domain/commitments/commitment.ts'
import { sourceStates } from '../domain/entropy/capture_entropy.ts'
import type { SourceAt } from '../domain/entropy/source.ts'
import { readStanding, waitingItems, watchWaiting } from '../domain/ledger/standing.ts'
import type { Limits } from '../domain/limits/limits.ts'
import type { PublicLog } from '../domain/log/public_log.ts'
import { type Witnessing, witnessedCheckpoint, witnessStandings } from '../domain/log/witnesses.ts'
import { waitingRoundAges } from '../domain/rounds/waiting_rounds.ts'
import { waitingFactAge } from '../domain/webhooks/fan_out/publish_events.ts'
import { queueAge } from '../domain/webhooks/sending/due_deliveries.ts'
import { jobAge } from '../jobs/queue.ts'
import { sharedAnswer } from '../kernel/flow/shared_work.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics, NameOf } from '../kernel/metrics.ts'
import { isDatabaseUnavailable } from '../store/database_errors.ts'
import type { Store } from '../store/open_store.ts'
import { purposeNames } from '../store/purposes.ts'

export function observeProcess({
  metrics,
  store,
  limits,
  log,
}: {
  readonly metrics: Metrics
  readonly store: Pick<Store, 'connections' | 'counts' | 'onWaited' | 'disk'>
  readonly limits: Pick<Limits, 'counts'>
  readonly log: Log
}): void {
  metrics.set('pharos_build_info', { version: manifest.version, node: process.version }, 1)
  for (const purpose of purposeNames)
    metrics.set('pharos_database_connections_max', { purpose }, store.connections(purpose))
  store.onWaited((purpose, ms) => metrics.observe('pharos_database_wait_seconds', { purpose }, ms / 1_000))
  store.disk.hear({
    onRefused: () => metrics.count('pharos_database_disk_full_total', {}),
    onFull: (words) => log.error({ words }, 'database.disk_full'),
    onRoom: () => log.info('database.disk_has_room'),
  })
  metrics.atScrape(() => {
    for (const purpose of purposeNames) {
      const { inUse, idle, waiting } = store.counts(purpose)
      metrics.set('pharos_database_connections', { purpose, state: 'in_use' }, inUse)
      metrics.set('pharos_database_connections', { purpose, state: 'idle' }, idle)
      metrics.set('pharos_database_waiting', { purpose }, waiting)
    }
    metrics.set('pharos_budget_database_away', {}, limits.counts().away ? 1 : 0)
  })
}

/** The room that the embedded database has left. */
export function observeDisk(metrics: Metrics, folder: string): void {
  metrics.atScrape(async () => {
    const { bavail, bsize } = await statfs(folder)
    metrics.set('pharos_data_free_bytes', {}, bavail * bsize)
  })
}

/** What gauges and readiness tell of. */
export interface Watched {
  /** On connections that reads cannot use up. */
  readonly em: () => EntityManager
  readonly entropy: readonly SourceAt[]
  readonly chains: readonly ConfiguredChain[]
  readonly publicLog: Pick<PublicLog, 'shown' | 'behind'>
  /** Undefined when no witness is asked. */
  readonly witnessing: Witnessing | undefined
}

/** Milliseconds. A scrape that waits longer goes on without these gauges. */
const READING = { fresh: 2_000, patience: 2_000 } as const

/** What one or two statements tell. When they fail, these gauges are absent and the others are not. */
interface Reading {
  readonly gauges: readonly NameOf<'gauge'>[]
  readonly read: () => Promise<void>
}

export function readGauges(metrics: Metrics, watched: Watched): void {
  const readings = readingsOf(metrics, watched)
  const forget = (which: readonly Reading[]): void => {
    for (const { gauges } of which) for (const gauge of gauges) metrics.unset(gauge)
  }
  const readAll = async (): Promise<{ readonly isUp: boolean; readonly errors: readonly unknown[] }> => {
    const errors: unknown[] = []
    for (const [index, reading] of readings.entries()) {
      try {
        await reading.read()
      } catch (error) {
        errors.push(error)
        // The statements after it would each wait for the same database.
        const isUp = !isDatabaseUnavailable(error)
        forget(isUp ? [reading] : readings.slice(index))
        if (!isUp) return { isUp, errors }
      }
    }
    return { isUp: true, errors }
  }
  const shared = sharedAnswer(readAll, {
    freshMs: READING.fresh,
    patienceMs: READING.patience,
    late: () => ({ isUp: false, errors: [new Error('The database did not answer in time.')] }),
  })
  metrics.atScrape(async () => {
    const { isUp, errors } = await shared()
    metrics.set('pharos_database_up', {}, isUp ? 1 : 0)
    if (!isUp) forget(readings)
    if (errors.length > 0) throw new AggregateError(errors, 'Some gauges could not be read.')
  })
}

function readingsOf(
  metrics: Metrics,
  { em, entropy, chains, publicLog, witnessing }: Watched,
): readonly Reading[] {
  const waitingItemAge = watchWaiting()
  return [
    {
      gauges: ['pharos_block_height', 'pharos_block_age_seconds', 'pharos_clock_behind_chain_seconds'],
      read: async () => {
        const { nowMs, head } = await readStanding(em())
        metrics.set('pharos_block_height', {}, head.height)
        metrics.set('pharos_block_age_seconds', {}, Math.max(0, nowMs - head.timeMs) / 1_000)
        metrics.set('pharos_clock_behind_chain_seconds', {}, Math.max(0, head.timeMs - nowMs) / 1_000)
      },
    },
    {
      gauges: ['pharos_queue_age_seconds'],
      read: async () => {
        const ages = {
          deliveries: await queueAge(em()),
          facts: await waitingFactAge(em()),
          jobs: await jobAge(em()),
          items: waitingItemAge(await waitingItems(em())),
        }
        for (const [queue, age] of Object.entries(ages))
          metrics.set('pharos_queue_age_seconds', { queue }, age)
      },
    },
    {
      gauges: ['pharos_round_unconfirmed_seconds'],
      read: async () => {
        const names = chains.map(({ chain }) => chain.name)
        for (const [chain, age] of await waitingRoundAges(em(), names))
          metrics.set('pharos_round_unconfirmed_seconds', { chain }, age)
      },
    },
    {
      gauges: ['pharos_entropy_failing_seconds'],
      read: async () => {
        for (const { source, failing_seconds } of await sourceStates(em(), entropy))
          metrics.set('pharos_entropy_failing_seconds', { source }, failing_seconds)
      },
    },
    {
      gauges: ['pharos_witness_missing_seconds', 'pharos_log_unwitnessed_blocks'],
      read: async () => {
        const newest = publicLog.shown()
        if (witnessing === undefined || newest === undefined) return
        const witnessed = await witnessedCheckpoint(em(), witnessing, newest)
        metrics.set('pharos_log_unwitnessed_blocks', {}, newest.size - (witnessed?.size ?? 0))
        const { nowMs } = await readStanding(em())
        for (const { witness, missing_since } of await witnessStandings(em(), witnessing, newest.key.number))
          metrics.set('pharos_witness_missing_seconds', { witness }, secondsSince(missing_since, nowMs))
      },
    },
    {
      gauges: ['pharos_commitments'],
      read: async () => {
        for (const { state, count } of await unconfirmedCommitments({ em: em() }))
          metrics.set('pharos_commitments', { state }, count)
      },
    },
    {
      gauges: [
        'pharos_public_chain_trouble',
        'pharos_public_chain_confirmed_age_seconds',
        'pharos_public_chain_waiting_seconds',
      ],
      read: async () => {
        const { nowMs } = await readStanding(em())
        for (const { chain, error, confirmed_at, waiting_since } of await chainStandings(em(), chains)) {
          metrics.set('pharos_public_chain_trouble', { chain }, error === null ? 0 : 1)
          metrics.set('pharos_public_chain_waiting_seconds', { chain }, secondsSince(waiting_since, nowMs))
          if (confirmed_at !== null)
            metrics.set(
              'pharos_public_chain_confirmed_age_seconds',
              { chain },
              secondsSince(confirmed_at, nowMs),
            )
        }
      },
    },
  ]
}

/** 0 for what does not go on. */
const secondsSince = (since: string | null, nowMs: number): number =>
  since === null ? 0 : Math.max(0, nowMs - Date.parse(since)) / 1_000
