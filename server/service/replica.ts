// Lists and counts on a replica, where there is one: which of them it takes, and what is told about it.
import type { Query } from '../contract/expensive_reads.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Config } from '../settings/read_settings.ts'
import { storeOptions } from '../start/open_database.ts'
import { isDatabaseUnavailable, isRecoveryConflict } from '../store/database_errors.ts'
import { openReplica, type Replica, type Store } from '../store/open_store.ts'
import { rows } from '../store/run.ts'

/** For the process that answers clients. Undefined without a replica. */
export function configuredReplica(
  config: Config,
  {
    store,
    metrics,
    log,
  }: { readonly store: Pick<Store, 'em'>; readonly metrics: Metrics; readonly log: Log },
): Replica | undefined {
  if (config.readDatabaseUrl === undefined) return undefined
  const replica = openReplica({
    ...{ url: config.readDatabaseUrl, ...storeOptions(config, 'ways_in') },
    primary: () => store.em('watch'),
    onChange: ({ state, lagMs }, err) => {
      if (state === 'used') log.info({ lag_ms: lagMs }, 'replica.used')
      else log.warn({ state, lag_ms: lagMs, ...(err === undefined ? {} : { err }) }, 'replica.not_used')
    },
  })
  metrics.atScrape(() => {
    const { state, lagMs } = replica.standing()
    metrics.set('pharos_replica_used', {}, state === 'used' ? 1 : 0)
    if (lagMs === null) metrics.unset('pharos_replica_lag_seconds')
    else metrics.set('pharos_replica_lag_seconds', {}, lagMs / 1_000)
  })
  return replica
}

/** A statement that fails because of the replica runs again on the primary. */
export const listingQuery = (replica: Replica, store: Pick<Store, 'em'>): Query => {
  return async (statement) => {
    const em = replica.em('read')
    if (em === undefined) return rows(store.em('read'), statement)
    try {
      return await rows(em, statement)
    } catch (error) {
      if (!isDatabaseUnavailable(error) && !isRecoveryConflict(error)) throw error
      return rows(store.em('read'), statement)
    }
  }
}
