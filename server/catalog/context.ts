// What every verb of the catalog is given: who asks, for which team, and the few collaborators it may use.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Report } from '../../shared/proof/verify/report.ts'
import type { ExpensiveReads } from '../contract/expensive_reads.ts'
import type { Caller } from '../domain/accounts/caller.ts'
import type { Plan } from '../domain/accounts/plan.ts'
import type { Tenant } from '../domain/accounts/tenant.ts'
import type { Beacon, PlacedBeacon } from '../domain/beacons/beacon.ts'
import type { BeaconMemory } from '../domain/beacons/beacon_memory.ts'
import type { ItemDraft } from '../domain/ledger/item_draft.ts'
import type { SubmittedItem } from '../domain/ledger/submit_items.ts'
import type { OnceRequest, SubmitResult, Submitting } from '../domain/ledger/submit_once.ts'
import type { ProofLayout, ProofRequest } from '../domain/proofs/proof_request.ts'
import type { VerifyRequest } from '../domain/proofs/verify_proof.ts'
import type { WebhookDelivery } from '../domain/webhooks/delivery.ts'
import type { Guard } from '../domain/webhooks/guard/vet_target.ts'
import type { Ceilings } from '../kernel/ceilings.ts'
import type { Breathe } from '../kernel/in_pieces.ts'
import type { JsonText } from '../kernel/json_text.ts'
import type { MasterKey } from '../kernel/sealed.ts'

/** Made once by `app.ts`; the same for every request. */
export interface Services {
  /** The public origin, for links, e.g. `https://pharos.example`. */
  readonly base: () => string
  /** Records one item and answers once it is durable; calls that come together share a transaction. @throws plan_limit */
  readonly submitItem: (draft: ItemDraft, plan: Plan) => Promise<SubmittedItem>
  /**
   * Records many in one transaction and answers an outcome per draft. With `once`, the same key and request are
   * recorded once, however often they come. @throws idempotency_conflict, plan_limit
   */
  readonly submitItems: (
    by: Submitting,
    drafts: readonly ItemDraft[],
    once?: OnceRequest,
  ) => Promise<readonly SubmitResult[]>
  /** Forgets what this server remembers of callers and teams: one of them has just been changed here. */
  readonly forgetAccounts: () => void
  /** Tells whoever follows live that there are new facts. */
  readonly announceFacts: () => void
  /** `requested`: see `readTeamId`. @throws forbidden_tenant */
  readonly tenantOf: (em: EntityManager, userId: string, requested: string | undefined) => Promise<Tenant>
  /** The head as a server that listens already knows it, or undefined when it had better be read. */
  readonly knownHead: () => PlacedBeacon | undefined
  /** The newest beacons, newest first, under the same condition. */
  readonly knownNewest: () => readonly Beacon[] | undefined
  /** A layout that is left out is the service's choice. @throws what `generate_proof.ts` says */
  readonly generateProof: (
    em: EntityManager,
    caller: Caller,
    request: Omit<ProofRequest, 'layout'> & { readonly layout: ProofLayout | undefined },
  ) => Promise<JsonText>
  /** @throws what `verify_proof.ts` says */
  readonly verifyProof: (em: EntityManager, caller: Caller, request: VerifyRequest) => Promise<Report>
  /** Beacons this server has read before. */
  readonly beacons: BeaconMemory
  /** Opens one request's expensive reads; the key is whose turns they are. */
  readonly expensiveReads: (key: string) => ExpensiveReads
  readonly webhooks: WebhookServices
  readonly ceilings: Ceilings
}

export interface WebhookServices {
  /** Judges the addresses of endpoints. */
  readonly guard: Guard
  /** Seals their secrets. */
  readonly masterKey: MasterKey
  /** Charged to the owner's budget. @throws rate_limited, not_found */
  readonly sendSample: (which: { endpointId: string; userId: string }) => Promise<WebhookDelivery>
}

/** A request that must not be done twice: its Idempotency-Key, and the bytes that make it this request. */
export interface Once {
  readonly key: string
  readonly request: Uint8Array
}

/** One request's view of the house. */
export interface Context {
  readonly em: EntityManager
  readonly caller: Caller
  /** Resolved once, on first use. @throws forbidden_tenant */
  readonly tenant: () => Promise<Tenant>
  readonly services: Services
  /** Reads that no index is sure to help; see `contract/expensive_reads.ts`. */
  readonly expensively: ExpensiveReads
  /** Between the parts of long work, so that others get their turn. */
  readonly breathe: Breathe
  readonly once?: Once
}
