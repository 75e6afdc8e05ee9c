// Gauges whose values come from the database and from other rooms. Read at each scrape.
import type { EntityManager } from '@mikro-orm/postgresql'
import { unconfirmedCommitments } from './domain/commitments/unconfirmed.ts'
import type { SourceAt } from './domain/entropy/source.ts'
import { sourceStates } from './domain/entropy/source_state.ts'
import { readStanding } from './domain/ledger/standing.ts'
import { queueAge } from './domain/webhooks/due_deliveries.ts'
import type { Metrics } from './kernel/metrics.ts'

export interface Gauged {
  readonly em: () => EntityManager
  readonly metrics: Metrics
  readonly entropy: readonly SourceAt[]
}

export function readGauges({ em, metrics, entropy }: Gauged): void {
  metrics.atScrape(async () => {
    const { nowMs, head } = await readStanding({ em: em() })
    metrics.set('pharos_block_height', {}, head.height)
    metrics.set('pharos_block_age_seconds', {}, (nowMs - head.timeMs) / 1_000)
  })
  metrics.atScrape(async () => {
    for (const { source, failing_seconds } of await sourceStates({ em: em() }, entropy))
      metrics.set('pharos_entropy_failing_seconds', { source }, failing_seconds)
  })
  metrics.atScrape(async () => {
    for (const { state, count } of await unconfirmedCommitments({ em: em() }))
      metrics.set('pharos_commitments', { state }, count)
  })
  metrics.atScrape(async () =>
    metrics.set('pharos_webhook_queue_age_seconds', {}, await queueAge({ em: em() })),
  )
}
