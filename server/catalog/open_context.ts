// Creates the context of one request.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { ExpensiveReads, Turn } from '../contract/expensive_reads.ts'
import type { Caller } from '../domain/accounts/caller.ts'
import type { Tenant } from '../domain/accounts/tenant.ts'
import type { AtOnce } from '../kernel/flow/at_once.ts'
import { type Breathe, inPieces } from '../kernel/flow/in_pieces.ts'
import type { Store } from '../store/open_store.ts'
import type { Context, Services } from './context.ts'

/** Writes use their own connection pool. All other requests use the read pool. */
export type ContextPurpose = 'read' | 'write'

export interface ContextParts {
  readonly store: Store
  readonly services: Services
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
  readonly progress?: Context['progress'] | undefined
  /** Absent where there are no requests: on a stream. */
  readonly admission?: {
    readonly othersAreHere: (key: string) => boolean
    readonly sideBySide: (key: string) => number
    readonly breatheFor: (key: string) => Breathe
  }
  /** The turn that the request has, given up during expensive reads. */
  readonly turn?: Turn
}

/**
 * A team named by the request is checked here, for every operation. The default team is
 * resolved only when it is used.
 * @throws forbidden_tenant
 */
export function openContext(
  parts: ContextParts,
  caller: Caller,
  requestedTenant: string | undefined,
  purpose: ContextPurpose,
): AtOnce<Context> {
  const context = new OpenContext(parts, caller, requestedTenant, purpose)
  return requestedTenant === undefined ? context : context.tenant().then(() => context)
}

/**
 * Adds members to a context. A copy with the same prototype: `em` stays a getter there, which forks an entity manager
 * that many answers do not need. An object whose prototype is the context would be slow to make and slow to read.
 */
export const extended = <C extends object, Parts extends object>(context: C, parts: Parts): C & Parts =>
  Object.assign(Object.create(Object.getPrototypeOf(context)), context, parts)

/** Returns the context with its own entity manager, forked on first use. */
export function apart<C extends Context>(context: C): C {
  let own: EntityManager | undefined
  const manager: OpenContext['manager'] = () => {
    own ??= context.em.fork()
    return own
  }
  return extended(context, { manager })
}

/** The long work of all streams. */
const OF_STREAMS = inPieces()

/** A class, because an object literal with a getter takes twenty times as long to make, and each request makes one. */
class OpenContext implements Context {
  readonly caller: Caller
  readonly services: Services
  readonly tenant: Context['tenant']
  readonly expensively: ExpensiveReads
  readonly isCrowded: Context['isCrowded']
  readonly breathe: Context['breathe']
  readonly signal: AbortSignal | undefined
  readonly progress: Context['progress']
  /** Forking an entity manager costs more than the rest of a request that needs none, so it happens on first use. */
  readonly manager: () => EntityManager

  constructor(
    { store, services, signal, progress, admission, turn }: ContextParts,
    caller: Caller,
    requestedTenant: string | undefined,
    purpose: ContextPurpose,
  ) {
    this.caller = caller
    this.services = services
    this.signal = signal
    this.progress = progress
    let forked: EntityManager | undefined
    this.manager = () => {
      forked ??= store.em(purpose)
      return forked
    }
    let resolved: Promise<Tenant> | undefined
    this.tenant = () => {
      resolved ??= services.tenantOf(this.manager, caller.userId, requestedTenant)
      return resolved
    }
    let opened: ExpensiveReads | undefined
    this.expensively = (work) => {
      opened ??= services.expensiveReads(caller.userId, {
        sideBySide: () => admission?.sideBySide(caller.userId) ?? 1,
        ...(turn === undefined ? {} : { turn }),
      })
      return opened(work)
    }
    this.isCrowded = () => admission?.othersAreHere(caller.userId) === true
    const pause = admission?.breatheFor(caller.userId) ?? OF_STREAMS.breatheFor(caller.userId, this.isCrowded)
    this.breathe = () => {
      signal?.throwIfAborted()
      return pause()
    }
  }

  get em(): EntityManager {
    return this.manager()
  }
}
