// Everything this server does by the clock and the queue. Started in order and stopped in order.
import type { ConfiguredChain } from '../domain/commitments/chains/configured_chains.ts'
import { captureEntropy } from '../domain/entropy/capture_entropy.ts'
import type { SourceAt } from '../domain/entropy/source.ts'
import type { BlockLog } from '../domain/ledger/block.ts'
import { type FinalizeOutcome, finalizeBlock } from '../domain/ledger/finalize_block.ts'
import type { Signer } from '../domain/ledger/signer.ts'
import { readStanding } from '../domain/ledger/standing.ts'
import { fanOut } from '../domain/webhooks/fan_out/fan_out.ts'
import { deliverEndpoint } from '../domain/webhooks/sending/deliver_endpoint.ts'
import { dueEndpoints, endpointClaims } from '../domain/webhooks/sending/due_deliveries.ts'
import { startBlockClock } from '../jobs/block_clock.ts'
import { logCapture, startEntropyClock } from '../jobs/capture_entropy.ts'
import { startCommitting } from '../jobs/commit_epochs.ts'
import { startDelivering } from '../jobs/deliver_webhooks.ts'
import { startFanOut } from '../jobs/fan_out_webhooks.ts'
import { startFinalizeJobs } from '../jobs/finalize_block.ts'
import { startChores } from '../jobs/keep_house.ts'
import { startQueue, stopQueue } from '../jobs/queue.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { step } from '../kernel/step.ts'
import type { Store } from '../store/open_store.ts'
import type { HeadWatch } from '../watch/readiness.ts'
import { choresOf } from './chores.ts'
import type { Webhooks } from './webhooks.ts'

export interface ClockworkOptions {
  readonly store: Store
  readonly signer: Signer
  readonly publicLog: BlockLog
  /** An address whose sessions stay on one connection, because the queue listens for notices on it. */
  readonly queueUrl: string
  readonly blockIntervalMs: number
  /** The public sources that are asked once a minute. None when empty. */
  readonly entropy: readonly SourceAt[]
  /** The public chains that epochs are committed to. */
  readonly chains: readonly ConfiguredChain[]
  readonly webhooks: Webhooks
  /** Signals that there are new facts to read. */
  readonly announceFacts: () => void
  /** Called with every standing that the block clock reads. */
  readonly seeHead: HeadWatch['see']
  readonly metrics: Metrics
  readonly log: Log
}

/** Time for running jobs to finish when the server stops. After that they go back to the queue. */
const HAND_BACK_MS = 3_000

export interface Clockwork {
  /** Signals that there may be facts for webhooks. */
  readonly pokeWebhooks: () => void
  readonly close: () => Promise<void>
}

export async function startClockwork(options: ClockworkOptions): Promise<Clockwork> {
  const { store, signer, publicLog, queueUrl, blockIntervalMs, entropy, metrics, log } = options
  const work = () => store.em('work')
  const finalize = async (after: string): Promise<FinalizeOutcome> => {
    const began = performance.now()
    const outcome = await step('finalize', async ({ facts }) => {
      const parts = { em: store.em('ledger'), signer, publicLog }
      const made = await finalizeBlock(parts, { intervalMs: blockIntervalMs, after })
      facts['pharos.outcome'] = made.outcome
      if (made.outcome === 'finalized') facts['pharos.leaves'] = made.leaves
      return made
    })
    if (outcome.outcome === 'finalized') {
      const durationMs = performance.now() - began
      const { lateMs, ...made } = outcome
      const lagMs = lateMs + durationMs
      metrics.observe('pharos_finalize_seconds', {}, durationMs / 1_000)
      metrics.observe('pharos_finalize_lag_seconds', {}, lagMs / 1_000)
      metrics.observe('pharos_block_leaves', {}, outcome.leaves)
      log.info({ ...made, duration_ms: Math.round(durationMs), lag_ms: Math.round(lagMs) }, 'block.finalized')
    }
    return outcome
  }
  const queue = await startQueue({ url: queueUrl, log })
  const finalizeJobs = await startFinalizeJobs(queue, finalize)
  const keepingHouse = startChores({
    chores: choresOf({ em: work, announceFacts: options.announceFacts }),
    onError: (err, chore) => log.warn({ err, chore }, 'chore.failed'),
    onDone: (chore, done) => log.info({ chore, done }, 'chore.done'),
  })
  const blockClock = startBlockClock({
    intervalMs: blockIntervalMs,
    readStanding: async () => {
      const standing = await readStanding(store.em('watch'))
      options.seeHead(standing.nowMs, standing.head)
      return standing
    },
    order: finalizeJobs.order,
    finalize,
    onError: (err) => log.warn({ err }, 'block_clock.failed'),
  })
  const entropyClock =
    entropy.length === 0
      ? undefined
      : startEntropyClock({
          readNowMs: async () => (await readStanding(store.em('watch'))).nowMs,
          capture: (now, signal) =>
            step('capture', () => captureEntropy({ em: work, signer, sources: entropy, signal }, now)),
          onOutcome: (outcome) => {
            metrics.count('pharos_entropy_captures_total', {
              source: outcome.source,
              outcome: outcome.outcome,
            })
            if (outcome.outcome === 'recorded') options.announceFacts()
            logCapture(log, outcome)
          },
          onError: (err) => log.warn({ err }, 'entropy.failed'),
        })
  const { chains, announceFacts } = options
  const committing = startCommitting({ em: work, chains, announceFacts, log })
  const { webhooks } = options
  const delivering = startDelivering({
    due: (limit) => dueEndpoints(work(), limit),
    claims: (endpointIds) => endpointClaims(work(), endpointIds),
    deliver: (endpointId, onRest) => deliverEndpoint(webhooks.tools, endpointId, onRest),
    dispatch: webhooks.dispatch,
    onError: (err) => log.warn({ err }, 'webhooks.delivery_failed'),
  })
  const fanningOut = startFanOut({
    fanOut: () => fanOut(work()),
    order: delivering.order,
    announceFacts,
    onError: (err) => log.warn({ err }, 'webhooks.fan_out_failed'),
  })
  return {
    pokeWebhooks: fanningOut.poke,
    close: async () => {
      await fanningOut.stop()
      await delivering.close()
      await Promise.all([committing.close(), entropyClock?.close(), blockClock.close(), keepingHouse.close()])
      await stopQueue(queue, HAND_BACK_MS)
    },
  }
}
