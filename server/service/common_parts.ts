// What the ways in and the clockwork of a server both use: notices, budgets, public chains, webhooks.
import { sql } from 'kysely'
import type { WebhookServices } from '../catalog/context.ts'
import { startDevchain } from '../devchain/start_devchain.ts'
import { ACCOUNT_CHANNEL } from '../domain/accounts/account_cache.ts'
import { openConfiguredChains } from '../domain/commitments/chains/configured_chains.ts'
import { BLOCK_CHANNEL } from '../domain/ledger/insert_block.ts'
import { rateLimited } from '../domain/limits/charge.ts'
import { createLimits, type Limits } from '../domain/limits/limits.ts'
import { openPublicLog } from '../domain/log/public_log.ts'
import { openSignedMemory } from '../domain/log/signed_memory.ts'
import { builtInReceiver } from '../domain/webhooks/receiver/built_in_receiver.ts'
import { receiverOff } from '../domain/webhooks/receiver/receiver_off.ts'
import { requestTaker } from '../domain/webhooks/receiver/receiver_request.ts'
import { attemptsUnderWay, createDispatchSwitch } from '../domain/webhooks/sending/attempts_under_way.ts'
import type { DeliveryTools } from '../domain/webhooks/sending/deliver_one.ts'
import { outcomeRecorder } from '../domain/webhooks/sending/record_outcomes.ts'
import { sendSample } from '../domain/webhooks/sending/send_sample.ts'
import { openVisits } from '../domain/webhooks/sending/visits.ts'
import { sendRetries } from '../jobs/retry_webhooks.ts'
import { repeat } from '../kernel/flow/repeat.ts'
import type { Log } from '../kernel/log.ts'
import { createGuard, resolveName } from '../outgoing/guard.ts'
import { keepLines } from '../outgoing/lines.ts'
import { openLines } from '../outgoing/post_pinned.ts'
import { readWitnessPolicy } from '../start/brought_files.ts'
import { listenForNotices, type NoticeListener } from '../store/listen.ts'
import { change, command } from '../store/statement.ts'
import { observeProcess } from '../watch/gauges.ts'
import { watchHead } from '../watch/readiness.ts'
import type { AppOptions } from './app_options.ts'
import { connectWitnesses } from './public_log.ts'

const FACT_CHANNEL = 'pharos_fact'

interface Hearer {
  readonly onNotice: (channel: string) => void
  /** Called after every connect: notices may have been missed. */
  readonly onConnect?: () => void
}

function openNotices({ url, log }: { readonly url: string; readonly log: Log }) {
  const hearers: Hearer[] = []
  let listener: NoticeListener | undefined
  return Object.freeze({
    connected: (): boolean => listener?.connected() ?? false,
    hear: (hearer: Hearer): void => void hearers.push(hearer),
    /** Connects. Those who must not miss the first `onConnect` call `hear` before. */
    start: (): void => {
      listener ??= listenForNotices({
        url,
        channels: [BLOCK_CHANNEL, FACT_CHANNEL, ACCOUNT_CHANNEL],
        onNotice: (channel) => {
          for (const { onNotice } of hearers) onNotice(channel)
        },
        onConnect: () => {
          for (const { onConnect } of hearers) onConnect?.()
        },
        onLost: (err) => log.warn({ err }, 'listen.lost'),
      })
    },
    close: async (): Promise<void> => listener?.close(),
  })
}

/** Milliseconds from one notice of new facts to the next of the same process. */
const FACT_NOTICE_GAP_MS = 50

export async function openCommonParts(options: AppOptions) {
  const { store, log, masterKey, metrics } = options
  const watch = () => store.em('watch')
  const onLost = (err: unknown): void => log.warn({ err }, 'facts.notice_failed')
  const facts = repeat({
    everyMs: Number.POSITIVE_INFINITY,
    gapMs: FACT_NOTICE_GAP_MS,
    keepsAlive: false,
    onError: onLost,
    // A notice that is slow, or lost, holds up no other.
    run: async () => void change(watch(), NEWS_OF_FACTS).catch(onLost),
  })
  const limits = createLimits({
    em: watch,
    limits: options.limits,
    log,
    onRefused: (budget) => metrics.count('pharos_budget_refusals_total', { budget }),
  })
  observeProcess({ metrics, store, limits, log })
  const isOwn = options.chains.names.includes('embedded') && options.embeddedNode === undefined
  const devchain = isOwn
    ? await startDevchain({ store, masterKey, log }, { dataDir: options.dataDir })
    : undefined
  const embeddedNode = options.embeddedNode ?? devchain
  const chains = await openConfiguredChains({ log, nodes: { embedded: embeddedNode } }, options.chains)
  const webhooks = openWebhooks(options, limits, facts.poke)
  const witnesses =
    options.witnessPolicy === undefined
      ? undefined
      : {
          witnessing: await readWitnessPolicy(watch(), options.witnessPolicy),
          connect: connectWitnesses(options.webhooks, webhooks.tools.guard),
        }
  const publicLog = openPublicLog({
    em: watch,
    ledger: () => store.em('ledger'),
    masterKey,
    memory: options.dataDir === undefined ? undefined : openSignedMemory(options.dataDir),
    log,
  })
  metrics.atScrape(() => metrics.set('pharos_log_behind', {}, publicLog.behind() === undefined ? 0 : 1))
  const notices = openNotices({ url: options.listenDatabaseUrl, log })
  notices.hear({
    onNotice: (channel) => {
      if (channel === BLOCK_CHANNEL) void publicLog.look()
    },
    onConnect: () => void publicLog.look(),
  })
  publicLog.start()
  return Object.freeze({
    notices,
    limits,
    chains,
    webhooks,
    /** Contains a password. Undefined unless the development chain is used. */
    embeddedNode: embeddedNode === undefined ? undefined : { rpcUrl: embeddedNode.rpcUrl },
    headWatch: watchHead({ intervalMs: options.blockIntervalMs, log }),
    publicLog,
    /** Undefined when no witness is asked. */
    witnesses,
    /** Tells every server that there are new facts. */
    announceFacts: facts.poke,
    /** The last to be closed. */
    close: async (): Promise<void> => {
      await publicLog.close()
      webhooks.close()
      await devchain?.close()
      await facts.stop()
      await limits.close()
      await notices.close()
    },
  })
}

export type CommonParts = Awaited<ReturnType<typeof openCommonParts>>

/** The commit does not wait for the disk: readers also look by themselves, so a notice that is lost costs little. */
const NEWS_OF_FACTS = command(sql`
  WITH quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  SELECT pg_notify(${sql.lit(FACT_CHANNEL)}, '') FROM quick`)

/** Everything that sends webhooks, once per server: the guard, the connections, the recorder, the switch. */
function openWebhooks(options: AppOptions, limits: Limits, announceFacts: () => void) {
  const { store, masterKey, metrics, log } = options
  const em = () => store.em('work')
  const dispatch = createDispatchSwitch({ em })
  const { allow, deny, ca, resolve = resolveName } = options.webhooks
  const lines = keepLines(openLines(ca === undefined ? {} : { ca }))
  const receiver =
    receiverOff(options) === undefined ? builtInReceiver(requestTaker({ em, masterKey }), log) : undefined
  const guard = createGuard({ resolve, allow, deny, hasReceiver: receiver !== undefined })
  const tools: DeliveryTools = {
    em,
    masterKey,
    guard,
    lines,
    receiver,
    visits: openVisits({ em, sendRetries }),
    record: outcomeRecorder({ em, sendRetries }),
    dispatch,
    underWay: attemptsUnderWay(dispatch.interrupted),
    onAttempted: ({ status }, { happening, durationMs }) => {
      metrics.count('pharos_webhook_attempts_total', { kind: 'push', status })
      metrics.observe('pharos_webhook_attempt_seconds', {}, durationMs / 1_000)
      if (happening.kind === 'blocked') metrics.count('pharos_webhook_blocked_total', {})
      announceFacts()
    },
    log,
  }
  const services: Omit<WebhookServices, 'waits' | 'recordRead'> = {
    guard,
    masterKey,
    sendRetries,
    sendSample: async (wanted) => {
      const charge = await limits.charge('webhook_test', wanted.userId)
      if (!charge.allowed) throw rateLimited(charge)
      // Nothing else reads it in a worker, which has no queue.
      await dispatch.look()
      return sendSample(tools, wanted)
    },
  }
  return Object.freeze({
    tools,
    dispatch,
    services,
    /** Closes all connections to receivers. */
    close: () => lines.close(),
  })
}
