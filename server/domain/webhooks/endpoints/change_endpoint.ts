// Creates and changes endpoints for their owners.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { EventName, ResourceType } from '../../../../shared/wire/webhook_events.ts'
import { newUuid7 } from '../../../kernel/identifiers.ts'
import { type Problem, problem, refuse, refuseAny } from '../../../kernel/refusal.ts'
import { bool, bytes, nullable, text, texts } from '../../../store/columns.ts'
import { TABLES } from '../../../store/database.ts'
import type { Sealing } from '../../../store/seal.ts'
import { db, inTransaction, NOW, type RowFrom, rows, statement } from '../../../store/statement.ts'
import { PLANS } from '../../accounts/plan.ts'
import { readTenants } from '../../accounts/tenant.ts'
import { firstKeys, headersBesideSignature, signingColumns } from './change_signing.ts'
import {
  type AuthType,
  type CustomHeaders,
  type EndpointKind,
  endpointOf,
  sealHeaders,
  sealSecret,
  type WebhookEndpoint,
} from './endpoint.ts'
import { checkEvents, checkGoesWithKind, checkTeamGoesWith } from './endpoint_rules.ts'
import { type Signing, secretOf } from './signing_keys.ts'

/** The attributes for both create and update. On an update, an absent attribute stays as it is. */
export interface EndpointChange {
  readonly url?: string
  readonly events?: readonly EventName[]
  readonly description?: string | null
  /** `none` deletes the secret. `bearer` requires a secret, given now or earlier. */
  readonly authType?: AuthType
  readonly authSecret?: string
  /** Replaces all custom headers. */
  readonly customHeaders?: CustomHeaders
  /** A change makes a new key and forgets the earlier ones. `none` forgets them all. */
  readonly signing?: Signing
  /** A team of the owner, or null for all items that the owner submits. */
  readonly teamFilterId?: string | null
  readonly enabled?: boolean
  /** Null for no other bound than the time that answers take. */
  readonly maxPerSecond?: number | null
}

export type NewEndpoint = EndpointChange & {
  readonly userId: string
  /** `push` when nobody says. It needs a `url`, and `pull` has none. */
  readonly kind?: EndpointKind
  readonly resourceType: ResourceType
  readonly events: readonly EventName[]
}

/** The secret by which its deliveries are signed is told this once. */
export type CreatedEndpoint = WebhookEndpoint & { readonly signingSecret?: string | undefined }

/**
 * The caller must have checked the attributes. The owner's row is locked, so two calls at the last free place are
 * counted one after the other.
 * @throws required for a push endpoint without `url`
 * @throws plan_limit with `meta.limit`
 * @throws master_key_changed when it has a secret or headers, or signs
 */
export function createEndpoint({ em, masterKey }: Sealing, wanted: NewEndpoint): Promise<CreatedEndpoint> {
  const id = newUuid7()
  const { kind = 'push', url = null, enabled = true } = wanted
  const headers = wanted.customHeaders ?? []
  const signing = wanted.signing ?? 'none'
  const keys = firstKeys(signing)
  return inTransaction(em, async (tx) => {
    if (kind === 'push' && url === null) throw refuse('required', { path: ['url'] })
    await requirePlace(tx, wanted.userId)
    const columns = await db(tx)
      .insertInto('webhook_endpoints')
      .values({
        id,
        user_id: wanted.userId,
        kind,
        url,
        resource_type: wanted.resourceType,
        events: wanted.events,
        description: wanted.description ?? null,
        auth_type: wanted.authType ?? 'none',
        sealed_auth_secret:
          wanted.authSecret === undefined
            ? null
            : await sealSecret({ em: tx, masterKey }, id, wanted.authSecret),
        ...(await sealedHeaders({ em: tx, masterKey }, id, headers)),
        ...(await signingColumns({ em: tx, masterKey }, id, { signing, keys })),
        team_filter_id: wanted.teamFilterId ?? null,
        enabled,
        disabled_reason: enabled ? null : 'manual',
        max_per_second: wanted.maxPerSecond ?? null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const [key] = keys
    return { ...endpointOf(columns), signingSecret: key && secretOf(key) }
  })
}

/**
 * Changes an endpoint of the user. Enabling it again clears the reason and the failure count. Sealed values are never
 * sent to another origin: a change of origin must give them again or drop them. Keys that sign are never sent anywhere.
 * @throws not_found
 * @throws required when `bearer` has no secret, or when a sealed value would go to another origin
 * @throws invalid_attribute for a secret without `bearer`
 * @throws master_key_changed when it gives a secret or headers, or begins to sign
 */
export function updateEndpoint(
  { em, masterKey }: Sealing,
  { id, userId }: { id: string; userId: string },
  wanted: EndpointChange,
): Promise<WebhookEndpoint> {
  return inTransaction(em, async (tx) => {
    const [known] = await rows(tx, KNOWN({ id, userId }))
    if (known === undefined) throw refuse('not_found')
    const authType = wanted.authType ?? known.auth_type
    refuseAny([
      ...(wanted.events === undefined ? [] : checkEvents(known.resource_type, wanted.events)),
      ...checkTeamGoesWith(known.resource_type, wanted.teamFilterId),
      ...checkGoesWithKind(known.kind, {
        url: wanted.url,
        auth_type: wanted.authType,
        auth_secret: wanted.authSecret,
        custom_headers: wanted.customHeaders,
      }),
      ...checkSecretGoesWith(authType, wanted.authSecret, known.has_secret),
      ...checkNothingMovesAlong(known, wanted, authType),
    ])
    const { url, events, description, authType: _, authSecret, customHeaders, ...rest } = wanted
    const { teamFilterId, enabled, maxPerSecond, signing = known.signing, ...others } = rest
    others satisfies Record<string, never>
    const sealing = { em: tx, masterKey }
    const stored = { names: known.custom_header_names, sealed: known.sealed_custom_headers }
    const headers =
      customHeaders ?? (signing === 'none' ? undefined : await headersBesideSignature(sealing, id, stored))
    const columns = await db(tx)
      .updateTable('webhook_endpoints')
      .set({
        ...(url === undefined ? {} : { url, last_duration_ms: null }),
        ...(events === undefined ? {} : { events }),
        ...(description === undefined ? {} : { description }),
        auth_type: authType,
        ...(authType === 'none' ? { sealed_auth_secret: null } : {}),
        ...(authSecret === undefined
          ? {}
          : { sealed_auth_secret: await sealSecret(sealing, id, authSecret) }),
        ...(headers === undefined ? {} : await sealedHeaders(sealing, id, headers)),
        ...(signing === known.signing
          ? {}
          : await signingColumns(sealing, id, { signing, keys: firstKeys(signing) })),
        ...(teamFilterId === undefined ? {} : { team_filter_id: teamFilterId }),
        ...(enabled === undefined ? {} : switched(enabled)),
        ...(maxPerSecond === undefined ? {} : { max_per_second: maxPerSecond }),
        updated_at: NOW,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return endpointOf(columns)
  })
}

/** Refuses a secret that would never be sent, and `bearer` without a secret. */
export function checkSecretGoesWith(
  authType: AuthType,
  secret: string | undefined,
  hasSecret: boolean,
): Problem[] {
  const path = ['auth_secret']
  if (authType === 'bearer' && secret === undefined && !hasSecret)
    return [problem('required', { path, detail: 'is required with auth_type bearer' })]
  if (authType === 'none' && secret !== undefined)
    return [problem('invalid_attribute', { path, detail: 'comes only with auth_type bearer' })]
  return []
}

const sealedHeaders = async (sealing: Sealing, id: string, headers: CustomHeaders) => ({
  sealed_custom_headers: headers.length === 0 ? null : await sealHeaders(sealing, id, headers),
  custom_header_names: headers.map(([name]) => name),
})

/** Enabling clears the history. Disabling keeps an earlier reason. */
const switched = (enabled: boolean) =>
  enabled
    ? { enabled, disabled_reason: null, consecutive_failures: 0, failing_since: null }
    : { enabled, disabled_reason: sql<'manual' | 'failing' | 'gone'>`coalesce(disabled_reason, 'manual')` }

const KNOWN = statement(
  {
    kind: TABLES.webhook_endpoints.kind,
    resource_type: TABLES.webhook_endpoints.resource_type,
    url: nullable(text),
    auth_type: TABLES.webhook_endpoints.auth_type,
    has_secret: bool,
    sealed_custom_headers: nullable(bytes),
    custom_header_names: texts,
    signing: TABLES.webhook_endpoints.signing,
  },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT kind, resource_type, url, auth_type, sealed_auth_secret IS NOT NULL AS has_secret, sealed_custom_headers, custom_header_names, signing
    FROM webhook_endpoints WHERE id = ${id} AND user_id = ${userId} FOR NO KEY UPDATE`,
)

type Known = RowFrom<typeof KNOWN>

/**
 * A host gets only the secrets that the owner gave for it. So a change of origin must give the sealed values again or
 * drop them.
 */
function checkNothingMovesAlong(known: Known, wanted: EndpointChange, authType: AuthType): Problem[] {
  if (wanted.url === undefined || known.url === null) return []
  if (new URL(wanted.url).origin === new URL(known.url).origin) return []
  const secretMoves = known.has_secret && authType === 'bearer' && wanted.authSecret === undefined
  const headersMove = known.sealed_custom_headers !== null && wanted.customHeaders === undefined
  return [
    ...(secretMoves ? [givenAgain('auth_secret', 'or auth_type none')] : []),
    ...(headersMove ? [givenAgain('custom_headers', 'or an empty object')] : []),
  ]
}

const givenAgain = (name: string, or: string): Problem =>
  problem('required', {
    path: [name],
    detail: `is required with a url of another origin, ${or}: what is stored is not sent to another host`,
    meta: { reason: 'origin_changed' },
  })

/** The user must be a member of the team. The answer is the same for an unknown team. */
export async function checkTeamFilter(em: EntityManager, userId: string, teamId: string): Promise<Problem[]> {
  const [member] = await readTenants(em, [{ userId, teamId }])
  return member !== undefined
    ? []
    : [problem('invalid_attribute', { path: ['team_filter_id'], detail: 'is no team of yours' })]
}

async function requirePlace(em: EntityManager, userId: string): Promise<void> {
  // The row is locked in its own statement, so that the count below sees what the previous holder of the lock
  // inserted.
  const { plan } = await db(em)
    .selectFrom('users')
    .select('plan')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const limit = PLANS[plan].webhookEndpoints
  if (limit === Number.POSITIVE_INFINITY) return
  const { count } = await db(em)
    .selectFrom('webhook_endpoints')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= limit)
    throw refuse('plan_limit', {
      detail: `the plan includes ${limit} webhook endpoints`,
      meta: { limit, plan },
    })
}
