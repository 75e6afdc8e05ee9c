// Everything we publish, in the order in which documents list it; and its routes as lines, for people (`npm run routes`)
// and for the golden file that shows every change.
import { type Action, changesSomething } from '../contract/operation.ts'
import { type BareRow, bareRow, type Resource } from '../contract/resource.ts'
import { KNOWLEDGE_ACTIONS } from '../domain/knowledge/read_articles.ts'
import { UTILITIES } from '../domain/utilities/utilities.ts'
import { allowedApplication } from './allowed_application.ts'
import { apiKey } from './api_key.ts'
import { beacon } from './beacon.ts'
import { block } from './block.ts'
import { commitment } from './commitment.ts'
import type { Context } from './context.ts'
import { entropyObservation } from './entropy_observation.ts'
import { epoch } from './epoch.ts'
import { item } from './item.ts'
import { itemActions } from './item_actions.ts'
import { membership, membershipActions } from './membership.ts'
import { proofActions } from './proof_actions.ts'
import { session } from './session.ts'
import { team } from './team.ts'
import { passwordActions, user } from './user.ts'
import { webhookActions } from './webhooks/webhook_actions.ts'
import { webhookDelivery } from './webhooks/webhook_delivery.ts'
import { webhookEndpoint } from './webhooks/webhook_endpoint.ts'
import { webhookEvents } from './webhooks/webhook_events.ts'
import { webhookStatistics } from './webhooks/webhook_statistics.ts'

/** Operations over HTTP lie below it. */
export const API_ROOT = '/api/json'

export type PublishedResource = Resource<object, Context>

export type PublishedOperation = PublishedResource['operations'][number]

export type PublishedAction = Action<Context>

/** An operation that JSON:API publishes. */
export type RoutedOperation = Extract<PublishedOperation, { readonly http: string }> | PublishedAction

/** An operation, and the resource that it belongs to. An action belongs to none. */
export interface Published<Operation = PublishedOperation | PublishedAction> {
  readonly operation: Operation
  readonly resource: PublishedResource | undefined
}

/** An operation that has a path. */
export type PublishedRoute = Published<RoutedOperation>

export type Catalog = ReturnType<typeof makeCatalog>

export function makeCatalog(
  resources: readonly PublishedResource[],
  actions: readonly PublishedAction[],
  /** Descriptions of the actions whose path belongs to no resource, keyed by the first segment of the path. */
  groups: Readonly<Record<string, string>> = {},
) {
  const byType = new Map(resources.map((resource) => [resource.type, resource]))
  const operations: readonly Published[] = [
    ...resources.flatMap((resource) => resource.operations.map((operation) => ({ operation, resource }))),
    ...actions.map((operation) => ({ operation, resource: undefined })),
  ]
  return Object.freeze({
    resources,
    actions,
    groups,
    /** Those of the resources, and then the actions. */
    operations,
    /** The operations that have a path. */
    routed: operations.flatMap(({ operation, resource }): readonly PublishedRoute[] =>
      'http' in operation ? [{ operation, resource }] : [],
    ),
    /**
     * Returns the resource of this type.
     * @throws RangeError when the type is not published; a test ensures that every relationship's target is
     */
    related: (type: string): PublishedResource => {
      const found = byType.get(type)
      if (found === undefined) throw new RangeError(`No resource of type ${type} is published.`)
      return found
    },
  })
}

export const catalog: Catalog = makeCatalog(
  [
    item,
    block,
    beacon,
    entropyObservation,
    epoch,
    commitment,
    team,
    membership,
    user,
    apiKey,
    session,
    allowedApplication,
    webhookEndpoint,
    webhookDelivery,
    webhookStatistics,
    webhookEvents,
  ],
  [
    ...itemActions,
    ...membershipActions,
    ...passwordActions,
    ...webhookActions,
    ...proofActions,
    ...UTILITIES,
    ...KNOWLEDGE_ACTIONS,
  ],
  {
    utilities: 'Small helps without side effects: hashes, canonical JSON, the time in an id, the clock.',
    kb: 'Articles about the service itself.',
    proof: 'Proofs that anybody can verify without us.',
  },
)

/** @param row what a verb returned */
export async function prepareBareRow(
  resource: PublishedResource,
  context: Context,
  row: unknown,
  also?: ReadonlySet<string>,
): Promise<BareRow> {
  if (typeof row !== 'object' || row === null) throw new Error(`${resource.type}: no row was answered.`)
  await resource.prepare([row], context)
  return bareRow(resource, context, row, also)
}

/** Returns one line per operation: method, path, operation id, access and GraphQL field. */
export const routeList = ({ operations }: Catalog): string => `${operations.map(lineOf).join('\n')}\n`

function lineOf({ operation }: Published): string {
  const [method = '', path = ''] = 'http' in operation ? operation.http.split(' ') : []
  const cells = [
    method.padEnd(6),
    (path === '' ? '' : `${API_ROOT}${path}`).padEnd(42),
    operation.name.padEnd(24),
    operation.access.padEnd(7),
  ]
  return `${cells.join(' ')} ${changesSomething(operation) ? 'mutation' : 'query'} ${operation.graphql}`
}

if (process.argv[1] === import.meta.filename) process.stdout.write(routeList(catalog))
