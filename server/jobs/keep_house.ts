// The cleaning chores: each is one bounded step at its interval. Every server runs all of them, so none depends on one
// server.
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
import { repeat } from '../kernel/flow/repeat.ts'
import type { Log } from '../kernel/log.ts'
import { findingDue } from './retry_webhooks.ts'

interface Chore {
  readonly name: string
  readonly everyMs: number
  /**
   * Handles at most `limit` rows, or ten times as many where they cost little, and returns how many: at least `limit`
   * while there are more. It must be safe on several servers at once: it skips rows that another one has locked, or finds
   * them gone. It must be a single statement, so that a crash leaves nothing half done.
   */
  readonly piece: (em: EntityManager, limit: number) => Promise<number>
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Seconds. What has just become due is usually in hand already. */
const LOST_SECONDS = 2

/**
 * `store/README.md` states how long each table keeps its rows.
 * @param announceFacts signals that there are new facts to read
 */
export const choresOf = (announceFacts: () => void): readonly Chore[] => [
  {
    // Expired items are hidden at once. They are erased within two of these intervals.
    name: 'redact_expired',
    everyMs: 2 * SECOND_MS,
    piece: async (em, limit) => {
      const redacted = await redactExpired(em, limit)
      if (redacted > 0) announceFacts()
      return redacted
    },
  },
  { name: 'find_due_webhooks', everyMs: 10 * SECOND_MS, piece: findingDue(LOST_SECONDS) },
  { name: 'prune_budgets', everyMs: MINUTE_MS, piece: pruneBudgets },
  { name: 'prune_facts', everyMs: 10 * MINUTE_MS, piece: pruneFacts },
  { name: 'prune_idempotency_keys', everyMs: 10 * MINUTE_MS, piece: pruneIdempotencyKeys },
  { name: 'prune_allowances', everyMs: 60 * MINUTE_MS, piece: pruneAllowances },
  { name: 'prune_api_keys', everyMs: 60 * MINUTE_MS, piece: pruneApiKeys },
  { name: 'prune_invitations', everyMs: 60 * MINUTE_MS, piece: pruneInvitations },
  { name: 'prune_oauth', everyMs: 10 * MINUTE_MS, piece: pruneOauth },
  { name: 'prune_password_resets', everyMs: 60 * MINUTE_MS, piece: prunePasswordResets },
  { name: 'prune_delivery_listeners', everyMs: 10 * MINUTE_MS, piece: pruneDeliveryListeners },
  { name: 'prune_webhook_deliveries', everyMs: 10 * MINUTE_MS, piece: pruneDeliveries },
  { name: 'prune_webhook_kept_items', everyMs: 60 * MINUTE_MS, piece: pruneKeptItems },
  { name: 'prune_receiver_addresses', everyMs: 60 * MINUTE_MS, piece: pruneAddresses },
  { name: 'prune_receiver_requests', everyMs: 10 * MINUTE_MS, piece: pruneRequests },
]

const PIECE = 1_000
/**
 * Milliseconds. The first run is at a random time, so that servers that start together do not run together. The time
 * is short, so that a server that restarts every hour still runs its chores.
 */
const FIRST_WITHIN_MS = 30_000

/** `close` waits for the current piece and starts no other. */
export function startChores({
  em,
  chores,
  log,
}: {
  readonly em: () => EntityManager
  readonly chores: readonly Chore[]
  readonly log: Log
}) {
  const repeated = chores.map(({ name, everyMs, piece }) =>
    repeat({
      firstMs: Math.random() * Math.min(everyMs, FIRST_WITHIN_MS),
      everyMs,
      onError: (err) => log.warn({ err, chore: name }, 'chore.failed'),
      run: async (signal) => {
        let done = 0
        try {
          for (let more = true; more && !signal.aborted; ) {
            const some = await piece(em(), PIECE)
            done += some
            more = some >= PIECE
          }
        } finally {
          if (done > 0) log.info({ chore: name, done }, 'chore.done')
        }
      },
    }),
  )
  return Object.freeze({ close: () => Promise.all(repeated.map(({ stop }) => stop())) })
}
