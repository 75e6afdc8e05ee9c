// Everything this server does by the clock and the queue. Started in order and stopped in order.
import { ACCOUNT_CHANNEL } from '../domain/accounts/account_cache.ts'
import { captureEntropy } from '../domain/entropy/capture_entropy.ts'
import { type FinalizeOutcome, finalizeBlock } from '../domain/ledger/finalize_block.ts'
import { BLOCK_CHANNEL } from '../domain/ledger/insert_block.ts'
import { createSigner } from '../domain/ledger/signing_key.ts'
import { readStanding } from '../domain/ledger/standing.ts'
import { deliverEndpoint } from '../domain/webhooks/sending/deliver_endpoint.ts'
import { endpointClaims } from '../domain/webhooks/sending/due_deliveries.ts'
import { startAsking } from '../jobs/ask_witnesses.ts'
import { startBlockClock, startFinalizeJobs } from '../jobs/block_clock.ts'
import { logCapture, startEntropyClock } from '../jobs/capture_entropy.ts'
import { startCommitting } from '../jobs/commit_epochs.ts'
import { startDelivering, startFanOut } from '../jobs/deliver_webhooks.ts'
import { choresOf, startChores } from '../jobs/keep_house.ts'
import { startQueue } from '../jobs/queue.ts'
import { findingDue, sendRetries, startRetrying } from '../jobs/retry_webhooks.ts'
import { step } from '../kernel/step.ts'
import { readGauges } from '../watch/gauges.ts'
import type { AppOptions } from './app_options.ts'
import type { CommonParts } from './common_parts.ts'

/** Time for running jobs to finish when the server stops. After that they go back to the queue. */
const HAND_BACK_MS = 3_000

export async function startClockwork(options: AppOptions, common: CommonParts) {
  const { store, masterKey, listenDatabaseUrl, blockIntervalMs, entropy, metrics, log } = options
  const { publicLog, witnesses, chains, webhooks, announceFacts, headWatch, notices } = common
  const signer = createSigner({ masterKey })
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
  const queue = await startQueue({ url: listenDatabaseUrl, log })
  const order = await startFinalizeJobs(queue, finalize)
  const keepingHouse = startChores({ em: work, chores: choresOf(announceFacts), log })
  const blockClock = startBlockClock({
    intervalMs: blockIntervalMs,
    readStanding: async () => {
      const standing = await readStanding(store.em('watch'))
      headWatch.see(standing.nowMs, standing.head)
      return standing
    },
    order,
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
            if (outcome.outcome === 'recorded') announceFacts()
            logCapture(log, outcome)
          },
          onError: (err) => log.warn({ err }, 'entropy.failed'),
        })
  const committing = startCommitting({ em: work, chains, announceFacts, log })
  const findDue = findingDue()
  const delivering = startDelivering({
    claims: (endpointIds) => endpointClaims(work(), endpointIds),
    deliver: (endpointId, onRest) => deliverEndpoint(webhooks.tools, endpointId, onRest),
    findDue: (limit) => findDue(work(), limit),
    leave: (endpointIds, afterMs) =>
      sendRetries(
        work(),
        endpointIds.map((endpointId) => ({ endpointId, afterMs })),
      ),
    dispatch: webhooks.dispatch,
    onError: (err) => log.warn({ err }, 'webhooks.delivery_failed'),
  })
  const retrying = startRetrying(queue, {
    dispatch: webhooks.dispatch,
    order: delivering.order,
    onError: (err) => log.warn({ err }, 'webhooks.retry_failed'),
  })
  const fanningOut = startFanOut({
    em: work,
    order: delivering.order,
    announceFacts,
    onError: (err) => log.warn({ err }, 'webhooks.fan_out_failed'),
  })
  const asking =
    witnesses &&
    startAsking({
      ...witnesses,
      em: work,
      newest: publicLog.shown,
      mayOffer: () => publicLog.behind() === undefined,
      onEvidence: async (note) => void (await publicLog.consider(note)),
      log,
    })
  notices.hear({
    onNotice: (channel) => {
      if (channel !== ACCOUNT_CHANNEL) fanningOut.poke()
      // What this server has not seen yet it does not offer.
      if (channel === BLOCK_CHANNEL && asking !== undefined) void publicLog.look().then(asking.poke)
    },
  })
  const em = () => store.em('watch')
  metrics.set('pharos_block_interval_seconds', {}, blockIntervalMs / 1_000)
  readGauges(metrics, { em, entropy, chains, publicLog, witnessing: witnesses?.witnessing })
  return {
    close: async (): Promise<void> => {
      await asking?.close()
      await Promise.all([fanningOut.stop(), retrying.stop()])
      await delivering.close()
      await Promise.all([committing.close(), entropyClock?.stop(), blockClock.close(), keepingHouse.close()])
      await queue.stop({ timeout: HAND_BACK_MS })
    },
  }
}
