// Endpoints as their owners make, change and remove them.

import type { EntityManager } from '@mikro-orm/postgresql'
import type { EventName, ResourceType } from '../../../shared/wire/webhook_events.ts'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { type Problem, problem, refuse, refuseAny } from '../../kernel/refusal.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { inTransaction, row, rows } from '../../store/rows.ts'
import { PLANS, type Plan } from '../accounts/plan.ts'
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
    const columns = await row<Record<string, unknown>>(tx, INSERT, [
      id,
      wanted.userId,
      wanted.url,
      wanted.resourceType,
      wanted.events,
      wanted.description ?? null,
      wanted.authType ?? 'none',
      wanted.authSecret === undefined ? null : sealSecret(masterKey, id, wanted.authSecret),
      headers.length === 0 ? null : sealHeaders(masterKey, id, headers),
      headers.map(([name]) => name),
      wanted.teamFilterId ?? null,
      enabled,
      enabled ? null : 'manual',
    ])
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
    const [known] = await rows<Known>(
      tx,
      `SELECT url, auth_type, sealed_auth_secret IS NOT NULL AS has_secret,
              sealed_custom_headers IS NOT NULL AS has_headers
         FROM webhook_endpoints WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE`,
      [id, userId],
    )
    if (known === undefined) throw refuse('not_found')
    const authType = wanted.authType ?? known.auth_type
    refuseAny([
      ...checkSecretGoesWith(authType, wanted.authSecret, known.has_secret),
      ...checkNothingMovesAlong(known, wanted, authType),
    ])
    const { customHeaders: headers, authSecret } = wanted
    const columns = await row<Record<string, unknown>>(tx, UPDATE, [
      id,
      wanted.url ?? null,
      wanted.events ?? null,
      wanted.description !== undefined,
      wanted.description ?? null,
      authType,
      authSecret === undefined ? null : sealSecret(masterKey, id, authSecret),
      headers !== undefined,
      headers === undefined || headers.length === 0 ? null : sealHeaders(masterKey, id, headers),
      (headers ?? []).map(([name]) => name),
      wanted.teamFilterId !== undefined,
      wanted.teamFilterId ?? null,
      wanted.enabled ?? null,
    ])
    return endpointOf(columns)
  })
}

/** Removes one's own endpoint; what waits for it is cancelled, its history stays. Answers it as it was. @throws not_found */
export function deleteEndpoint(
  { em }: { em: EntityManager },
  { id, userId }: { id: string; userId: string },
): Promise<WebhookEndpoint> {
  return inTransaction(em, async (tx) => {
    const [columns] = await rows<Record<string, unknown>>(
      tx,
      'DELETE FROM webhook_endpoints WHERE id = $1 AND user_id = $2 RETURNING *',
      [id, userId],
    )
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

interface Known {
  readonly url: string
  readonly auth_type: AuthType
  readonly has_secret: boolean
  readonly has_headers: boolean
}

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
  const found = await rows(em, 'SELECT 1 FROM memberships WHERE user_id = $1 AND team_id = $2', [
    userId,
    teamId,
  ])
  return found.length > 0
    ? []
    : [problem('invalid_attribute', { path: ['team_filter_id'], detail: 'is no team of yours' })]
}

async function requirePlace(em: EntityManager, userId: string): Promise<void> {
  // Locked before it is counted, in a statement of its own: the count then sees whoever held the lock before.
  const { plan } = await row<{ plan: Plan }>(em, 'SELECT plan FROM users WHERE id = $1 FOR NO KEY UPDATE', [
    userId,
  ])
  const limit = PLANS[plan].webhookEndpoints
  if (limit === Number.POSITIVE_INFINITY) return
  const { count } = await row<{ count: number }>(
    em,
    'SELECT count(*)::int AS count FROM webhook_endpoints WHERE user_id = $1',
    [userId],
  )
  if (count >= limit)
    throw refuse('plan_limit', {
      detail: `the plan includes ${limit} webhook endpoints`,
      meta: { limit, plan },
    })
}

const INSERT = `
  INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, description, auth_type, sealed_auth_secret,
                                 sealed_custom_headers, custom_header_names, team_filter_id, enabled, disabled_reason)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  RETURNING *`

const UPDATE = `
  UPDATE webhook_endpoints
     SET url = coalesce($2, url), events = coalesce($3::text[], events),
         description = CASE WHEN $4 THEN $5 ELSE description END, auth_type = $6,
         sealed_auth_secret = CASE WHEN $6 = 'bearer' THEN coalesce($7::bytea, sealed_auth_secret) END,
         sealed_custom_headers = CASE WHEN $8 THEN $9::bytea ELSE sealed_custom_headers END,
         custom_header_names = CASE WHEN $8 THEN $10::text[] ELSE custom_header_names END,
         team_filter_id = CASE WHEN $11 THEN $12 ELSE team_filter_id END,
         enabled = coalesce($13::boolean, enabled),
         disabled_reason = CASE WHEN $13 THEN NULL WHEN NOT $13 THEN coalesce(disabled_reason, 'manual')
                                ELSE disabled_reason END,
         consecutive_failures = CASE WHEN $13 THEN 0 ELSE consecutive_failures END,
         failing_since = CASE WHEN $13 THEN NULL ELSE failing_since END,
         updated_at = pharos_now()
   WHERE id = $1
  RETURNING *`
