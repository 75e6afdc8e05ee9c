// Turns the judged attributes of a request into calls of the domain, to create, change and remove webhook endpoints.

import { type EventName, isEventOf } from '../../shared/wire/webhook_events.ts'
import {
  checkSecretGoesWith,
  checkTeamFilter,
  createEndpoint,
  deleteEndpoint,
  type EndpointChange,
  updateEndpoint,
} from '../domain/webhooks/endpoints/change_endpoint.ts'
import type { WebhookEndpoint } from '../domain/webhooks/endpoints/endpoint.ts'
import {
  checkEvents,
  checkHeaders,
  checkSecret,
  checkTarget,
  checkUrl,
} from '../domain/webhooks/endpoints/endpoint_rules.ts'
import type { NothingLeft } from '../kernel/nothing_left.ts'
import type { Problem } from '../kernel/refusal.ts'
import type { Context } from './context.ts'
import type { Change, Creation, PassedEither } from './webhook_attributes.ts'

/** Checks every rule, including those that query the database or resolve names. Returns all problems. */
export async function checkWebhookEndpoint(
  { url, events, auth_type, auth_secret, custom_headers, team_filter_id }: PassedEither,
  { em, caller, services }: Context,
  on: 'create' | 'update',
): Promise<Problem[]> {
  const { guard } = services.webhooks
  const asked = await Promise.all([
    url === undefined ? [] : checkTarget(guard, url),
    team_filter_id ? checkTeamFilter({ em }, caller.userId, team_filter_id) : [],
  ])
  return [
    ...(url === undefined ? [] : checkUrl(guard, url)),
    ...(events === undefined ? [] : checkEvents('item', events)),
    ...(auth_secret === undefined ? [] : checkSecret(auth_secret)),
    // On a change, the stored row decides whether a secret exists.
    ...(on === 'create' ? checkSecretGoesWith(auth_type ?? 'none', auth_secret, false) : []),
    ...(custom_headers ? checkHeaders(custom_headers) : []),
    ...asked.flat(),
  ]
}

/** Creates an endpoint of the caller. @throws plan_limit with `meta.limit` */
export const createWebhookEndpoint = (
  { em, caller, services }: Context,
  attributes: Creation,
): Promise<WebhookEndpoint> =>
  createEndpoint(
    { em, masterKey: services.webhooks.masterKey },
    {
      ...changeOf(attributes),
      userId: caller.userId,
      url: attributes.url,
      resourceType: attributes.resource_type,
      events: eventsOf(attributes.events),
    },
  )

/** Returns the endpoint as it is after the change. @throws not_found, required, invalid_attribute */
export const changeWebhookEndpoint = (
  { em, caller, services }: Context,
  id: string,
  attributes: Change,
): Promise<WebhookEndpoint> =>
  updateEndpoint(
    { em, masterKey: services.webhooks.masterKey },
    { id, userId: caller.userId },
    changeOf(attributes),
  )

/** Returns the endpoint as it was. @throws not_found */
export const deleteWebhookEndpoint = ({ em, caller }: Context, id: string): Promise<WebhookEndpoint> =>
  deleteEndpoint({ em }, { id, userId: caller.userId })

/** Narrows the type. `checkEvents` has already refused unknown names, so nothing is dropped. */
const eventsOf = (names: readonly string[]): readonly EventName[] =>
  names.filter((name) => isEventOf('item', name))

function changeOf(given: Change): EndpointChange {
  const { url, events, description, auth_type, auth_secret, custom_headers, ...rest } = given
  const { team_filter_id, enabled, ...others } = rest
  others satisfies NothingLeft
  return {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: eventsOf(events) }),
    ...(description === undefined ? {} : { description }),
    ...(auth_type === undefined ? {} : { authType: auth_type }),
    ...(auth_secret === undefined ? {} : { authSecret: auth_secret }),
    ...(custom_headers === undefined ? {} : { customHeaders: Object.entries(custom_headers ?? {}) }),
    ...(team_filter_id === undefined ? {} : { teamFilterId: team_filter_id }),
    ...(enabled === undefined ? {} : { enabled }),
  }
}
