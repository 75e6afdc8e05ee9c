// Who a credential is and which team it speaks for, remembered for a moment, so that not every request asks the database.
import { hash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { authenticate, type Caller, touchApiKeys } from './caller.ts'
import { resolveTenant, type Tenant } from './tenant.ts'

/** Triggers on the accounts' tables notify here, whoever changed them: see migration 0002. */
export const ACCOUNT_CHANNEL = 'pharos_account'

export interface AccountCache {
  readonly authenticate: (token: string) => Promise<Caller | undefined>
  /** @throws forbidden_tenant */
  readonly tenant: (em: EntityManager, userId: string, requested: string | undefined) => Promise<Tenant>
  /** Notes in the database which API keys were used since the last call: one statement, to the minute. */
  readonly noteUse: () => Promise<void>
  /** Forgets everything: an account, key, team or membership changed, or notices of that may have been missed. */
  readonly clear: () => void
}

export interface AccountCacheOptions {
  readonly em: () => EntityManager
  /** True while notices arrive; while they do not, nothing is remembered. */
  readonly connected: () => boolean
}

/** The backstop for a notice that was lost in spite of everything; and the most entries of either kind. */
const TTL_MS = 5_000
const MAX_ENTRIES = 10_000

interface Remembered<Value> {
  readonly value: Value
  readonly until: number
}

/** Only good answers are remembered. Tokens are remembered by their hash. */
export function createAccountCache({ em, connected }: AccountCacheOptions): AccountCache {
  const callers = new Map<string, Remembered<Caller | undefined>>()
  const tenants = new Map<string, Remembered<Tenant>>()
  const used = new Set<string>()
  /** Raised by every `clear`: an answer that was read before it is not remembered after it. */
  let generation = 0

  const through = async <Value>(
    memory: Map<string, Remembered<Value>>,
    name: string,
    read: () => Promise<Value>,
  ): Promise<Value> => {
    const known = memory.get(name)
    if (known !== undefined && known.until > performance.now() && connected()) return known.value
    const began = generation
    const value = await read()
    if (value !== undefined && connected() && began === generation) {
      if (memory.size >= MAX_ENTRIES) memory.clear()
      memory.set(name, { value, until: performance.now() + TTL_MS })
    }
    return value
  }

  return Object.freeze({
    authenticate: async (token: string) => {
      const name = hash('sha256', token, 'base64')
      const caller = await through(callers, name, () => authenticate({ em: em() }, token))
      const { expiresAt } = caller?.credential ?? { expiresAt: null }
      if (caller !== undefined && used.size < MAX_ENTRIES) used.add(caller.credential.id)
      return expiresAt !== null && expiresAt <= Date.now() ? undefined : caller
    },
    tenant: (manager: EntityManager, userId: string, requested: string | undefined) =>
      through(tenants, `${userId} ${requested ?? ''}`, () =>
        resolveTenant({ em: manager }, userId, requested),
      ),
    noteUse: async () => {
      if (used.size === 0) return
      const ids = [...used]
      used.clear()
      await touchApiKeys({ em: em() }, ids)
    },
    clear: () => {
      generation += 1
      callers.clear()
      tenants.clear()
    },
  })
}
