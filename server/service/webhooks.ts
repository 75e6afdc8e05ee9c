// Builds everything that sends webhooks, once per server: the guard, the connections, the recorder, the switch.
import type { WebhookServices } from '../catalog/context.ts'
import { type Charge, rateLimited } from '../domain/limits/charge.ts'
import { attemptsUnderWay, createDispatchSwitch } from '../domain/webhooks/sending/attempts_under_way.ts'
import type { DeliveryTools } from '../domain/webhooks/sending/deliver_one.ts'
import { outcomeRecorder } from '../domain/webhooks/sending/record_outcomes.ts'
import { sendSample } from '../domain/webhooks/sending/send_sample.ts'
import { openVisits } from '../domain/webhooks/sending/visits.ts'
import { createGuard, resolveName } from '../outgoing/guard.ts'
import { keepLines } from '../outgoing/lines.ts'
import { openLines } from '../outgoing/post_pinned.ts'
import type { AppOptions } from './app_options.ts'

export function openWebhooks(
  { store, masterKey, webhooks: network, metrics, log }: AppOptions,
  {
    receiver,
    announceFacts,
    chargeSample,
  }: {
    /** Absent where the service has no receiver of its own. */
    readonly receiver: DeliveryTools['receiver']
    readonly announceFacts: () => void
    readonly chargeSample: (userId: string) => Promise<Charge> | Charge
  },
) {
  const em = () => store.em('work')
  const dispatch = createDispatchSwitch({ em })
  const { allow, deny, ca, resolve = resolveName } = network
  const lines = keepLines(openLines(ca === undefined ? {} : { ca }))
  const guard = createGuard({ resolve, allow, deny, hasReceiver: receiver !== undefined })
  const tools: DeliveryTools = {
    em,
    masterKey,
    guard,
    lines,
    receiver,
    visits: openVisits({ em }),
    record: outcomeRecorder({ em }),
    dispatch,
    underWay: attemptsUnderWay(dispatch.interrupted),
    onAttempted: ({ status }, { happening, durationMs }) => {
      metrics.count('pharos_webhook_attempts_total', { status })
      metrics.observe('pharos_webhook_attempt_seconds', {}, durationMs / 1_000)
      if (happening.kind === 'blocked') metrics.count('pharos_webhook_blocked_total', {})
      announceFacts()
    },
    log,
  }
  const services: WebhookServices = {
    guard,
    masterKey,
    sendSample: async (which) => {
      const charge = await chargeSample(which.userId)
      if (!charge.allowed) throw rateLimited(charge)
      // Nothing else reads it in a worker, which has no queue.
      await dispatch.look()
      return sendSample(tools, which)
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
