// Creates the context of one request.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { ExpensiveReads } from '../contract/expensive_reads.ts'
import type { Caller } from '../domain/accounts/caller.ts'
import type { Tenant } from '../domain/accounts/tenant.ts'
import { inPieces } from '../kernel/in_pieces.ts'
import type { Store } from '../store/open_store.ts'
import type { Context, Services } from './context.ts'

/** Writes use their own connection pool. All other requests use the read pool. */
export type ContextPurpose = 'read' | 'write'

/**
 * A team named by the request is checked here, for every operation. The default team is
 * resolved only when it is used.
 * @throws forbidden_tenant
 */
export async function openContext(
  {
    store,
    services,
    admission,
    signal,
    progress,
  }: {
    readonly store: Store
    readonly services: Services
    /** Aborted when nobody waits for the answer any more. */
    readonly signal?: AbortSignal
    readonly progress?: Context['progress']
    readonly admission?: { readonly othersAreHere: (key: string) => boolean }
  },
  caller: Caller,
  requestedTenant: string | undefined,
  purpose: ContextPurpose,
): Promise<Context> {
  // Forking an entity manager costs more than the rest of a request that needs none, so it happens on first use.
  let forked: EntityManager | undefined
  const em = (): EntityManager => {
    forked ??= store.em(purpose)
    return forked
  }
  let resolved: Promise<Tenant> | undefined
  const tenant = (): Promise<Tenant> => {
    resolved ??= services.tenantOf(em, caller.userId, requestedTenant)
    return resolved
  }
  let opened: ExpensiveReads | undefined
  const expensively: ExpensiveReads = (work) => {
    opened ??= services.expensiveReads(caller.userId)
    return opened(work)
  }
  if (requestedTenant !== undefined) await tenant()
  const isCrowded = () => admission?.othersAreHere(caller.userId) === true
  const pause = inPieces(isCrowded)
  const breathe = (): Promise<void> | undefined => {
    signal?.throwIfAborted()
    return pause()
  }
  return Object.freeze({
    get em() {
      return em()
    },
    caller,
    tenant,
    services,
    expensively,
    breathe,
    isCrowded,
    ...(signal === undefined ? {} : { signal }),
    ...(progress === undefined ? {} : { progress }),
  })
}
