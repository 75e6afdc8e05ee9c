// Endpoints as their owners make, change and remove them.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { EventName, ResourceType } from '../../../shared/wire/webhook_events.ts'
import { newUuid7 } from '../../kernel/identifiers.ts'
import type { NothingLeft } from '../../kernel/nothing_left.ts'
import { type Problem, problem, refuse, refuseAny } from '../../kernel/refusal.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { bool, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { NOW } from '../../store/database_time.ts'
import { db, rows } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'
import { inTransaction } from '../../store/transaction.ts'
import { PLANS } from '../accounts/plan.ts'
import { cancelPending } from './cancel_pending.ts'
import {
  type AuthType,
  type CustomHeaders,
  endpointOf,
  sealHeaders,
  sealSecret,
  type WebhookEndpoint,
} from './endpoint.ts'

export interface EndpointKeeper {
  readonly em: EntityManager
  readonly masterKey: MasterKey
}

/** What both creating and changing take; on a change, what is absent stays as it is. */
export interface EndpointChange {
  readonly url?: string
  readonly events?: readonly EventName[]
  readonly description?: string | null
  /** `none` forgets the secret; `bearer` needs one, given now or before. */
  readonly authType?: AuthType
  readonly authSecret?: string
  /** Replaces all of them. */
  readonly customHeaders?: CustomHeaders
  /** A team of the owner's; null for everything the owner submits. */
  readonly teamFilterId?: string | null
  readonly enabled?: boolean
}

export type NewEndpoint = EndpointChange & {
  readonly userId: string
  readonly url: string
  readonly resourceType: ResourceType
  readonly events: readonly EventName[]
}

/**
 * Attributes have passed their rules. The owner's row is the lock: two that arrive together at the last free place are
 * counted one after the other.
 * @throws plan_limit with `meta.limit`
 */
export function createEndpoint(
  { em, masterKey }: EndpointKeeper,
  wanted: NewEndpoint,
): Promise<WebhookEndpoint> {
  const id = newUuid7()
  const enabled = wanted.enabled ?? true
  const headers = wanted.customHeaders ?? []
  return inTransaction(em, async (tx) => {
    await requirePlace(tx, wanted.userId)
    const columns = await db(tx)
      .insertInto('webhook_endpoints')
      .values({
        id,
        user_id: wanted.userId,
        url: wanted.url,
        resource_type: wanted.resourceType,
        events: wanted.events,
        description: wanted.description ?? null,
        auth_type: wanted.authType ?? 'none',
        sealed_auth_secret:
          wanted.authSecret === undefined ? null : sealSecret(masterKey, id, wanted.authSecret),
        sealed_custom_headers: headers.length === 0 ? null : sealHeaders(masterKey, id, headers),
        custom_header_names: headers.map(([name]) => name),
        team_filter_id: wanted.teamFilterId ?? null,
        enabled,
        disabled_reason: enabled ? null : 'manual',
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return endpointOf(columns)
  })
}

/**
 * A change of one's own endpoint. Switching it on again forgets why it was off, and the failures counted so far. What is
 * sealed never moves along to another origin: it is given again with the new address, or dropped.
 * @throws not_found, required when there is no secret for `bearer` or something sealed would move along,
 *   invalid_attribute for a secret without `bearer`
 */
export function updateEndpoint(
  { em, masterKey }: EndpointKeeper,
  { id, userId }: { id: string; userId: string },
  wanted: EndpointChange,
): Promise<WebhookEndpoint> {
  return inTransaction(em, async (tx) => {
    const [known] = await rows(tx, KNOWN({ id, userId }))
    if (known === undefined) throw refuse('not_found')
    const authType = wanted.authType ?? known.auth_type
    refuseAny([
      ...checkSecretGoesWith(authType, wanted.authSecret, known.has_secret),
      ...checkNothingMovesAlong(known, wanted, authType),
    ])
    const { url, events, description, authType: _, authSecret, customHeaders: headers, ...rest } = wanted
    const { teamFilterId, enabled, ...others } = rest
    others satisfies NothingLeft
    const columns = await db(tx)
      .updateTable('webhook_endpoints')
      .set({
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events }),
        ...(description === undefined ? {} : { description }),
        auth_type: authType,
        ...(authType === 'none' ? { sealed_auth_secret: null } : {}),
        ...(authSecret === undefined ? {} : { sealed_auth_secret: sealSecret(masterKey, id, authSecret) }),
        ...(headers === undefined ? {} : sealedHeaders(masterKey, id, headers)),
        ...(teamFilterId === undefined ? {} : { team_filter_id: teamFilterId }),
        ...(enabled === undefined ? {} : switched(enabled)),
        updated_at: NOW,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return endpointOf(columns)
  })
}

/** Removes one's own endpoint; what waits for it is cancelled, its history stays. Answers it as it was. @throws not_found */
export function deleteEndpoint(
  { em }: { em: EntityManager },
  { id, userId }: { id: string; userId: string },
): Promise<WebhookEndpoint> {
  return inTransaction(em, async (tx) => {
    const columns = await db(tx)
      .deleteFrom('webhook_endpoints')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst()
    if (columns === undefined) throw refuse('not_found')
    // One piece, which is nearly always all; whoever looks for what is due cancels the rest.
    await cancelPending({ em: tx }, id, 'the endpoint was deleted')
    return endpointOf(columns)
  })
}

/** A secret that would never be sent is a mistake, and so is a promise to send one that is not there. */
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

const sealedHeaders = (masterKey: MasterKey, id: string, headers: CustomHeaders) => ({
  sealed_custom_headers: headers.length === 0 ? null : sealHeaders(masterKey, id, headers),
  custom_header_names: headers.map(([name]) => name),
})

/** Switched on, it has no past; switched off again, why it was off stays. */
const switched = (enabled: boolean) =>
  enabled
    ? { enabled, disabled_reason: null, consecutive_failures: 0, failing_since: null }
    : { enabled, disabled_reason: sql<'manual' | 'failing'>`coalesce(disabled_reason, 'manual')` }

const KNOWN = statement(
  { url: text, auth_type: TABLES.webhook_endpoints.auth_type, has_secret: bool, has_headers: bool },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT url, auth_type, sealed_auth_secret IS NOT NULL AS has_secret, sealed_custom_headers IS NOT NULL AS has_headers
    FROM webhook_endpoints WHERE id = ${id} AND user_id = ${userId} FOR NO KEY UPDATE`,
)

type Known = RowFrom<typeof KNOWN>

/** A host gets only what its owner gave for it: whoever changes the origin gives again, or drops, what is sealed. */
function checkNothingMovesAlong(known: Known, wanted: EndpointChange, authType: AuthType): Problem[] {
  if (wanted.url === undefined || new URL(wanted.url).origin === new URL(known.url).origin) return []
  const secretMoves = known.has_secret && authType === 'bearer' && wanted.authSecret === undefined
  const headersMove = known.has_headers && wanted.customHeaders === undefined
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

/** One of the teams that the user belongs to; whoever asks for another learns nothing about it. */
export async function checkTeamFilter(
  { em }: { em: EntityManager },
  userId: string,
  teamId: string,
): Promise<Problem[]> {
  const found = await db(em)
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', userId)
    .where('team_id', '=', teamId)
    .executeTakeFirst()
  return found !== undefined
    ? []
    : [problem('invalid_attribute', { path: ['team_filter_id'], detail: 'is no team of yours' })]
}

async function requirePlace(em: EntityManager, userId: string): Promise<void> {
  // Locked before it is counted, in a statement of its own: the count then sees whoever held the lock before.
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
