// Sends news about new and changed deliveries to their owners who listen on this server.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../../kernel/log.ts'
import { factReader } from '../../ledger/fact_reader.ts'
import type { DeliveryListeners } from './delivery_listeners.ts'

export interface DeliveryNews {
  readonly id: string
  readonly what: 'created' | 'updated'
}

export interface DeliveryFeed {
  /**
   * Calls `tell` for all news after the promise resolves, until the returned function is called. `tell` must not
   * throw.
   */
  readonly follow: (userId: string, tell: (news: DeliveryNews) => void) => Promise<() => void>
  /** Makes the feed look for news now. */
  readonly poke: () => void
  readonly close: () => Promise<void>
}

/** Milliseconds between two reads of facts, besides pokes. Nothing is read while there are no listeners. */
const READ_EVERY_MS = 1_000

const KINDS: ReadonlyMap<string, DeliveryNews['what']> = new Map([
  ['delivery.created', 'created'],
  ['delivery.updated', 'updated'],
])

interface DeliveryFeedParts {
  readonly em: () => EntityManager
  readonly deliveryListeners: Pick<DeliveryListeners, 'listen'>
  readonly log: Log
}

export function createDeliveryFeed({ em, deliveryListeners, log }: DeliveryFeedParts): DeliveryFeed {
  const listeners = new Map<string, Set<(news: DeliveryNews) => void>>()
  const reader = factReader({
    em,
    log,
    everyMs: READ_EVERY_MS,
    tell: async ({ kind, creator_id, subject_id }) => {
      const what = KINDS.get(kind)
      const owners = creator_id === null ? undefined : listeners.get(creator_id)
      if (what !== undefined) for (const tell of owners ?? []) tell({ id: subject_id, what })
    },
  })
  return Object.freeze({
    follow: async (userId: string, tell: (news: DeliveryNews) => void) => {
      const release = await reader.hold()
      const end = await deliveryListeners.listen(userId).catch((error: unknown) => {
        release()
        throw error
      })
      const own = listeners.get(userId) ?? new Set()
      listeners.set(userId, own.add(tell))
      return () => {
        own.delete(tell)
        if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId)
        end()
        release()
      }
    },
    poke: reader.poke,
    close: reader.close,
  })
}
