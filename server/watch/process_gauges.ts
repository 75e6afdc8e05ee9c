// What one process of a server tells about itself: its version, its database connections, its budgets, its disk.
import { statfs } from 'node:fs/promises'
import manifest from '../../package.json' with { type: 'json' }
import type { Limits } from '../domain/limits/limits.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Store } from '../store/open_store.ts'
import { purposeNames } from '../store/purposes.ts'

export interface Observed {
  readonly metrics: Metrics
  readonly store: Pick<Store, 'connections' | 'counts' | 'onWaited' | 'disk'>
  readonly limits: Pick<Limits, 'counts'>
  readonly log: Log
}

export function observeProcess({ metrics, store, limits, log }: Observed): void {
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
export function observeDisk({
  metrics,
  dataDir,
}: Pick<Observed, 'metrics'> & { readonly dataDir: string }): void {
  metrics.atScrape(async () => {
    const { bavail, bsize } = await statfs(dataDir)
    metrics.set('pharos_data_free_bytes', {}, bavail * bsize)
  })
}
