// Remembers for a short time which account and team a credential stands for, so that not every request asks the
// database, and writes when credentials were last used.
import { hash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type AtOnce, whenKnown } from '../../kernel/flow/at_once.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import { change, command } from '../../store/statement.ts'
import { authenticate, type Caller } from './caller.ts'
import type { ProtectedResource } from './scope.ts'
import { resolveTenant, type Tenant } from './tenant.ts'

/** To the minute. A row that is locked, such as that of a grant that is being revoked, is left for the next use. */
const NOTE = command(
  ({ keys, grants }: { keys: readonly string[]; grants: readonly string[] }) => sql`
  WITH keys AS (
    SELECT id FROM api_keys
     WHERE id = ANY(${keys}::text[]) AND (last_used_at IS NULL OR last_used_at < pharos_now() - interval '1 minute')
     ORDER BY id FOR NO KEY UPDATE SKIP LOCKED),
  noted AS (UPDATE api_keys SET last_used_at = pharos_now() WHERE id IN (SELECT id FROM keys)),
  grants AS (
    SELECT id FROM oauth_grants
     WHERE id = ANY(${grants}::text[]) AND (last_used_at IS NULL OR last_used_at < pharos_now() - interval '1 minute')
     ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
  UPDATE oauth_grants SET last_used_at = pharos_now() WHERE id IN (SELECT id FROM grants)`,
)

/** Triggers on the tables of the accounts send this NOTIFY for every writer. See migration 0002. */
export const ACCOUNT_CHANNEL = 'pharos_account'

/** Longest time that an entry is kept in case a notice was lost, and the maximum number of entries of each kind. */
const TTL_MS = 5_000
const MAX_ENTRIES = 10_000

const openMemory = <Value>() => ({
  entries: new Map<string, { readonly value: Value; readonly until: number }>(),
  /** As many as requests that wait for an answer, because unknown names are not remembered beyond it. */
  reading: underWay<string, Value>(),
})

type Memory<Value> = ReturnType<typeof openMemory<Value>>

/** Only successful answers are remembered. Tokens are remembered by their hash. */
export function createAccountCache({
  em,
  connected,
}: {
  readonly em: () => EntityManager
  /** True while notices arrive. Otherwise nothing is remembered. */
  readonly connected: () => boolean
}) {
  const callers = openMemory<Caller | undefined>()
  const tenants = openMemory<Tenant>()
  const used = { api_key: new Set<string>(), access_token: new Set<string>() }
  /** Incremented by every `clear`. An answer that was read before a `clear` is not remembered after it. */
  let generation = 0

  const through = <Value>(memory: Memory<Value>, name: string, read: () => Promise<Value>): AtOnce<Value> => {
    if (!connected()) return read()
    const known = memory.entries.get(name)
    if (known !== undefined && known.until > performance.now()) return known.value
    // Everybody who asks while the answer is read gets the same one. A `clear` ends that, as it ends what is remembered.
    return memory.reading.join(name, async () => {
      const began = generation
      const value = await read()
      if (value !== undefined && connected() && began === generation) {
        if (memory.entries.size >= MAX_ENTRIES) memory.entries.clear()
        memory.entries.set(name, { value, until: performance.now() + TTL_MS })
      }
      return value
    })
  }

  const noted = (caller: Caller | undefined): Caller | undefined => {
    if (caller === undefined) return undefined
    const { credential } = caller
    const { expiresAt } = credential
    const uses = used[credential.kind]
    if (uses.size < MAX_ENTRIES) uses.add(credential.kind === 'api_key' ? credential.id : credential.grantId)
    return expiresAt !== null && expiresAt <= Date.now() ? undefined : caller
  }

  return Object.freeze({
    /** See `authenticate` of `caller.ts`. At once for a caller who is remembered. */
    authenticate: (token: string, resource: ProtectedResource) => {
      const name = `${resource} ${hash('sha256', token, 'base64')}`
      return whenKnown(
        through(callers, name, () => authenticate(em(), token, resource)),
        noted,
      )
    },
    /** @throws forbidden_tenant */
    tenant: async (own: EntityManager, userId: string, requested: string | undefined) =>
      through(tenants, `${userId} ${requested ?? ''}`, () => resolveTenant(own, userId, requested)),
    /** Writes which API keys and grants were used since the last call, to the minute, in one statement. */
    noteUse: async () => {
      const keys = [...used.api_key]
      const grants = [...used.access_token]
      if (keys.length + grants.length === 0) return
      for (const noted of Object.values(used)) noted.clear()
      await change(em(), NOTE({ keys, grants }))
    },
    /**
     * Forgets everything. Call it after a change of an account, credential, team or membership, or when notices may have
     * been lost.
     */
    clear: () => {
      generation += 1
      for (const { entries, reading } of [callers, tenants]) {
        entries.clear()
        reading.forget()
      }
    },
  })
}
