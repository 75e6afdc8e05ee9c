// Cleaning tasks that every server runs. Each row is one task with its interval and one bounded step.
import type { EntityManager } from '@mikro-orm/postgresql'
import { pruneApiKeys } from '../domain/accounts/api_key.ts'
import { pruneAllowances } from '../domain/accounts/daily_allowance.ts'
import { pruneIdempotencyKeys } from '../domain/accounts/idempotency.ts'
import { pruneInvitations } from '../domain/accounts/invite_member.ts'
import { prunePasswordResets } from '../domain/accounts/new_password.ts'
import { redactExpired } from '../domain/ledger/change_item.ts'
import { pruneFacts } from '../domain/ledger/facts.ts'
import { pruneBudgets } from '../domain/limits/limits.ts'
import { pruneOauth } from '../domain/oauth/stored_payload.ts'
import { pruneDeliveries, pruneKeptItems } from '../domain/webhooks/deliveries/delivery.ts'
import { pruneDeliveryListeners } from '../domain/webhooks/deliveries/delivery_listeners.ts'
import { pruneAddresses } from '../domain/webhooks/receiver/receiver_address.ts'
import { pruneRequests } from '../domain/webhooks/receiver/receiver_request.ts'
import type { Chore } from '../jobs/keep_house.ts'
import { findingDue } from '../jobs/retry_webhooks.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Seconds. What has just become due is usually in hand already. */
const LOST_SECONDS = 2

/** `store/README.md` states how long each table keeps its rows. */
export const choresOf = ({
  em,
  announceFacts,
}: {
  readonly em: () => EntityManager
  /** Signals that there are new facts to read. */
  readonly announceFacts: () => void
}): readonly Chore[] => [
  {
    // Expired items are hidden at once. They are erased within two of these intervals.
    name: 'redact_expired',
    everyMs: 2 * SECOND_MS,
    piece: async (limit) => {
      const redacted = await redactExpired(em(), limit)
      if (redacted > 0) announceFacts()
      return redacted
    },
  },
  { name: 'find_due_webhooks', everyMs: 10 * SECOND_MS, piece: findingDue(em, LOST_SECONDS) },
  { name: 'prune_budgets', everyMs: MINUTE_MS, piece: (limit) => pruneBudgets(em(), limit) },
  { name: 'prune_facts', everyMs: 10 * MINUTE_MS, piece: (limit) => pruneFacts(em(), limit) },
  {
    name: 'prune_idempotency_keys',
    everyMs: 10 * MINUTE_MS,
    piece: (limit) => pruneIdempotencyKeys(em(), limit),
  },
  {
    name: 'prune_allowances',
    everyMs: 60 * MINUTE_MS,
    piece: (limit) => pruneAllowances(em(), limit),
  },
  { name: 'prune_api_keys', everyMs: 60 * MINUTE_MS, piece: (limit) => pruneApiKeys(em(), limit) },
  {
    name: 'prune_invitations',
    everyMs: 60 * MINUTE_MS,
    piece: (limit) => pruneInvitations(em(), limit),
  },
  { name: 'prune_oauth', everyMs: 10 * MINUTE_MS, piece: (limit) => pruneOauth(em(), limit) },
  {
    name: 'prune_password_resets',
    everyMs: 60 * MINUTE_MS,
    piece: (limit) => prunePasswordResets(em(), limit),
  },
  {
    name: 'prune_delivery_listeners',
    everyMs: 10 * MINUTE_MS,
    piece: (limit) => pruneDeliveryListeners(em(), limit),
  },
  {
    name: 'prune_webhook_deliveries',
    everyMs: 10 * MINUTE_MS,
    piece: (limit) => pruneDeliveries(em(), limit),
  },
  {
    name: 'prune_webhook_kept_items',
    everyMs: 60 * MINUTE_MS,
    piece: (limit) => pruneKeptItems(em(), limit),
  },
  {
    name: 'prune_receiver_addresses',
    everyMs: 60 * MINUTE_MS,
    piece: (limit) => pruneAddresses(em(), limit),
  },
  {
    name: 'prune_receiver_requests',
    everyMs: 10 * MINUTE_MS,
    piece: (limit) => pruneRequests(em(), limit),
  },
]
