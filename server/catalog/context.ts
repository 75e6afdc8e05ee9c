// The context of one request: the caller, its tenant and the collaborators that catalog operations may use.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Beacon } from '../../shared/wire/console_stream.ts'
import type { ExpensiveReads, Query, RunningRequest, Turn } from '../contract/expensive_reads.ts'
import type { FurtherPart } from '../contract/read_phase.ts'
import type { AccountDoor } from '../domain/accounts/account_door.ts'
import type { Caller } from '../domain/accounts/caller.ts'
import type { Plan } from '../domain/accounts/plan.ts'
import type { Tenant } from '../domain/accounts/tenant.ts'
import type { BeaconMemory, PlacedBeacon } from '../domain/beacons/beacon.ts'
import type { ItemDraft } from '../domain/ledger/item.ts'
import type { SubmittedItem } from '../domain/ledger/submit_items.ts'
import type { OnceRequest, SubmitResult, Submitting } from '../domain/ledger/submitter.ts'
import type { Generating } from '../domain/proofs/generate_proof.ts'
import type { ProofRequest } from '../domain/proofs/proof_request.ts'
import type { Verifying } from '../domain/proofs/verify_proof.ts'
import type { SendRetries, WebhookDelivery } from '../domain/webhooks/deliveries/delivery.ts'
import type { Aside, PullWaits } from '../domain/webhooks/pulling/pull_waits.ts'
import type { RecordRead } from '../domain/webhooks/pulling/record_read.ts'
import type { WantedSample } from '../domain/webhooks/sending/send_sample.ts'
import type { Ceilings } from '../kernel/ceilings.ts'
import type { AtOnce } from '../kernel/flow/at_once.ts'
import { inPieces, type YieldToEventLoop } from '../kernel/flow/in_pieces.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import type { Guard } from '../outgoing/guard.ts'
import type { Store } from '../store/open_store.ts'

/** Created once by `request_services.ts` and shared by all requests. */
export interface Services {
  /** The public origin, used in links, e.g. `https://pharos.example`. */
  readonly base: () => string
  /**
   * Records one item and returns after it is durably committed. Concurrent calls may share a transaction.
   * @throws plan_limit
   */
  readonly submitItem: (draft: ItemDraft, plan: Plan) => Promise<SubmittedItem>
  /**
   * Records many items in one transaction and returns one outcome per draft. With `once`, repeating the same key and
   * request records the items only once.
   * @throws idempotency_conflict, plan_limit
   */
  readonly submitItems: (
    by: Submitting,
    drafts: readonly ItemDraft[],
    once?: OnceRequest,
  ) => Promise<readonly SubmitResult[]>
  /** Gives what a change of a caller or a team gives, once this server has forgotten what it had read of them. */
  readonly changingAccounts: <T>(change: Promise<T>) => Promise<T>
  /** Checks the current password and sets another. @throws as `new_password.ts` says */
  readonly changePassword: AccountDoor['changePassword']
  /** Wakes the readers of new facts, such as the streams. */
  readonly announceFacts: () => void
  /**
   * @param requested the team the caller asked for, see `readTeamId`
   * @throws forbidden_tenant
   */
  readonly tenantOf: (em: EntityManager, userId: string, requested: string | undefined) => Promise<Tenant>
  /**
   * Returns the head from memory when this server listens to new blocks; otherwise undefined,
   * and the caller must read it.
   */
  readonly knownHead: () => PlacedBeacon | undefined
  /** Returns the newest beacons from memory, newest first; undefined under the same condition as `knownHead`. */
  readonly knownNewest: () => readonly Beacon[] | undefined
  /** What making and verifying proofs takes beside the database. */
  readonly proofs: {
    readonly generating: Omit<Generating, 'em'>
    readonly verifying: Omit<Verifying, 'em'>
    /** Of a request that names none. */
    readonly layout: ProofRequest['layout']
  }
  /** A cache of beacons that this server has read. */
  readonly beacons: BeaconMemory
  /** Opens the expensive reads of one request, which gives up its turn for them. Requests with the same key share one line. */
  readonly expensiveReads: (key: string, request?: RunningRequest) => ExpensiveReads
  /** Reads from a replica, which may be a little behind. Absent when there is none. */
  readonly listing?: Query
  readonly furtherPart: FurtherPart
  readonly webhooks: WebhookServices
  readonly ceilings: Ceilings
}

export interface WebhookServices {
  /** Where readers of pull endpoints wait. */
  readonly waits: Pick<PullWaits, 'enter'>
  readonly recordRead: RecordRead
  /** Checks that an endpoint's address may be contacted. */
  readonly guard: Guard
  /** Encrypts the secrets of endpoints. */
  readonly masterKey: MasterKey
  /** Sends a sample event and charges the owner's budget. @throws rate_limited, not_found, invalid_argument */
  readonly sendSample: (wanted: WantedSample) => Promise<WebhookDelivery>
  /** Has what is due at endpoints sent, by whichever server comes first. */
  readonly sendRetries: SendRetries
}

/** A request that must not run twice: its Idempotency-Key, and the bytes that identify the same request. */
export interface Once {
  readonly key: string
  readonly request: Uint8Array
}

/** Everything one request may use. */
export interface Context {
  readonly em: EntityManager
  readonly caller: Caller
  /** Resolves the tenant on first use, once per request. @throws forbidden_tenant */
  readonly tenant: () => Promise<Tenant>
  readonly services: Services
  /** Runs reads that may not be able to use an index; see `contract/expensive_reads.ts`. */
  readonly expensively: ExpensiveReads
  /** Call it between the parts of long work, so that other requests get processor time. */
  readonly yieldToEventLoop: YieldToEventLoop
  /** True while other callers are active. Long work should then leave them most of the processor time. */
  readonly isCrowded: () => boolean
  readonly once?: Once | undefined
  /** Aborted when nobody waits for the answer any more. Long work ends then. Absent where nobody can tell. */
  readonly signal?: AbortSignal | undefined
  /** Present where the request may wait for something to happen. */
  readonly aside?: Aside | undefined
  /** Tells whoever waits how far long work has come, when somebody wants to know. */
  readonly progress?: ((progress: Progress) => void) | undefined
}

/** A number that grows, and the number that it grows to as far as that is known. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  /** For people. */
  readonly message?: string
}

/** Writes use their own connection pool. All other requests use the read pool. */
type ContextPurpose = 'read' | 'write'

export interface ContextParts extends Pick<Context, 'services' | 'signal' | 'progress' | 'aside'> {
  readonly store: Store
  /** Absent where there are no requests: on a stream. */
  readonly admission?: {
    readonly othersAreHere: (key: string) => boolean
    readonly sideBySide: (key: string) => number
    readonly yieldingFor: (key: string) => YieldToEventLoop
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
  { store, services, signal, progress, aside, admission, turn }: ContextParts,
  caller: Caller,
  requestedTenant: string | undefined,
  purpose: ContextPurpose,
): AtOnce<Context> {
  const em = store.em(purpose)
  const { userId } = caller
  let resolved: Promise<Tenant> | undefined
  let opened: ExpensiveReads | undefined
  const tenant = (): Promise<Tenant> => {
    resolved ??= services.tenantOf(em, userId, requestedTenant)
    return resolved
  }
  const isCrowded = (): boolean => admission?.othersAreHere(userId) === true
  const pause = admission?.yieldingFor(userId) ?? OF_STREAMS.yieldingFor(userId, isCrowded)
  const context: Context = {
    ...{ em, caller, tenant, services, isCrowded, signal, progress, aside },
    expensively: (work, how) => {
      opened ??= services.expensiveReads(userId, {
        sideBySide: () => admission?.sideBySide(userId) ?? 1,
        ...(turn === undefined ? {} : { turn }),
      })
      return opened(work, how)
    },
    yieldToEventLoop: () => {
      signal?.throwIfAborted()
      return pause()
    },
  }
  return requestedTenant === undefined ? context : tenant().then(() => context)
}

/** The long work of all streams. */
const OF_STREAMS = inPieces()
