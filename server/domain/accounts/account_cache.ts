// Remembers for a short time which account and team a credential stands for, so that not every request asks the
// database.
import { hash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { authenticate, type Caller } from './caller.ts'
import { noteUse } from './note_use.ts'
import type { Resource } from './scope.ts'
import { resolveTenant, type Tenant } from './tenant.ts'

/** Triggers on the tables of the accounts send this NOTIFY for every writer. See migration 0002. */
export const ACCOUNT_CHANNEL = 'pharos_account'

export interface AccountCache {
  /** See `authenticate` of `caller.ts`. */
  readonly authenticate: (token: string, resource: Resource) => Promise<Caller | undefined>
  /** @throws forbidden_tenant */
  readonly tenant: (em: EntityManager, userId: string, requested: string | undefined) => Promise<Tenant>
  /** Writes which API keys and grants were used since the last call, to the minute, in one statement. */
  readonly noteUse: () => Promise<void>
  /**
   * Forgets everything. Call it after a change of an account, credential, team or membership, or when notices may have
   * been lost.
   */
  readonly clear: () => void
}

export interface AccountCacheOptions {
  readonly em: () => EntityManager
  /** True while notices arrive. Otherwise nothing is remembered. */
  readonly connected: () => boolean
}

/** Longest time that an entry is kept in case a notice was lost, and the maximum number of entries of each kind. */
const TTL_MS = 5_000
const MAX_ENTRIES = 10_000

interface Remembered<Value> {
  readonly value: Value
  readonly until: number
}

/** Only successful answers are remembered. Tokens are remembered by their hash. */
export function createAccountCache({ em, connected }: AccountCacheOptions): AccountCache {
  const callers = new Map<string, Remembered<Caller | undefined>>()
  const tenants = new Map<string, Remembered<Tenant>>()
  const used = { api_key: new Set<string>(), access_token: new Set<string>() }
  /** Incremented by every `clear`. An answer that was read before a `clear` is not remembered after it. */
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
    authenticate: async (token: string, resource: Resource) => {
      const name = `${resource} ${hash('sha256', token, 'base64')}`
      const caller = await through(callers, name, () => authenticate({ em: em() }, token, resource))
      if (caller === undefined) return undefined
      const { credential } = caller
      const { expiresAt } = credential
      const noted = used[credential.kind]
      if (noted.size < MAX_ENTRIES)
        noted.add(credential.kind === 'api_key' ? credential.id : credential.grantId)
      return expiresAt !== null && expiresAt <= Date.now() ? undefined : caller
    },
    tenant: (manager: EntityManager, userId: string, requested: string | undefined) =>
      through(tenants, `${userId} ${requested ?? ''}`, () =>
        resolveTenant({ em: manager }, userId, requested),
      ),
    noteUse: async () => {
      const keys = [...used.api_key]
      const grants = [...used.access_token]
      if (keys.length + grants.length === 0) return
      for (const noted of Object.values(used)) noted.clear()
      await noteUse({ em: em() }, { keys, grants })
    },
    clear: () => {
      generation += 1
      callers.clear()
      tenants.clear()
    },
  })
}
