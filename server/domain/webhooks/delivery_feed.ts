// Tells the owners who listen on this server that a delivery of theirs was made or has changed.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../kernel/log.ts'
import { factReader } from '../ledger/fact_reader.ts'

export interface DeliveryNews {
  readonly id: string
  readonly what: 'created' | 'updated'
}

export interface DeliveryFeed {
  /** From when it settles until the answer is called. `tell` must not throw. */
  readonly follow: (userId: string, tell: (news: DeliveryNews) => void) => Promise<() => void>
  /** There may be news. */
  readonly poke: () => void
  readonly close: () => Promise<void>
}

/** Milliseconds: facts are read this often while anybody listens, and whenever poked; not at all while nobody does. */
const READ_EVERY_MS = 1_000

const KINDS: ReadonlyMap<string, DeliveryNews['what']> = new Map([
  ['delivery.created', 'created'],
  ['delivery.updated', 'updated'],
])

export function createDeliveryFeed({ em, log }: { em: () => EntityManager; log: Log }): DeliveryFeed {
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
      const own = listeners.get(userId) ?? new Set()
      listeners.set(userId, own.add(tell))
      return () => {
        own.delete(tell)
        if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId)
        release()
      }
    },
    poke: reader.poke,
    close: reader.close,
  })
}
