// Describes one operation of the catalog as an Operation Object, and the credentials as security schemes.
import type { Catalog, PublishedResource } from '../../catalog/catalog.ts'
import { type Access, changesSomething } from '../../contract/operation.ts'
import { REFUSALS } from '../../kernel/refusal.ts'
import { API_SCOPE_OF } from '../http/challenge.ts'
import type { Components } from './components.ts'
import { refusedResponse } from './error_responses.ts'
import { FILTER_PROSE, listParameters } from './list_parameters.ts'
import type { HttpOperation, Node, PlacedOperation } from './node.ts'
import { requestBody } from './request_body.ts'
import {
  idempotencyParameter,
  pathParameters,
  shapeParameters,
  tenantParameter,
  validatorParameter,
} from './shape_parameters.ts'
import { successResponses } from './success_responses.ts'

/** The scopes that any client may ask for. `account` is the console's own and stands here for the operations' sake. */
const SCOPES = {
  'api:read': 'Read, use the utilities and the knowledge base, generate and verify proofs.',
  'api:write': 'Everything else on the API, and reading.',
  account: 'Change credentials and memberships. Only the service’s own console gets it.',
} as const satisfies Record<(typeof API_SCOPE_OF)[keyof typeof API_SCOPE_OF], string>

/** @param base the public origin, on which all endpoints of the authorization server lie */
export const securitySchemes = (base: string): Node => ({
  api_key: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key (`phk_…`), which may do everything that its account may. An access token is sent the same way.',
  },
  oauth2: {
    type: 'oauth2',
    description:
      'An access token. Every client uses PKCE with S256, and names this service as `resource`. The rest is in `/.well-known/oauth-authorization-server`.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${base}/oauth/authorize`,
        tokenUrl: `${base}/oauth/token`,
        refreshUrl: `${base}/oauth/token`,
        scopes: SCOPES,
      },
    },
  },
})

/** Either of the two. */
const securityOf = ({ access }: HttpOperation): Node[] => [
  { api_key: [] },
  { oauth2: [API_SCOPE_OF[access]] },
]

export function operationObject(
  components: Components,
  catalog: Catalog,
  { operation, resource, tag }: PlacedOperation,
): Node {
  const prose = operation.kind === 'list' ? ` ${FILTER_PROSE}` : ''
  const takesBody = operation.kind === 'create' || operation.kind === 'update' || operation.kind === 'action'
  return {
    operationId: operation.name,
    tags: [tag],
    summary: summaryOf(operation.doc),
    description: `${operation.doc}${prose} ${NEEDS[operation.access]}`,
    parameters: parametersOf(components, catalog, operation, resource),
    ...(takesBody ? { requestBody: requestBody(components, operation, resource) } : {}),
    security: securityOf(operation),
    responses: Object.fromEntries([
      ...Object.entries(successResponses(components, catalog, operation, resource)),
      ...refusedStatuses(operation).map((status) => [String(status), refusedResponse(components, status)]),
    ]),
  }
}

const NEEDS = {
  read: 'Access tokens need `api:read`.',
  write: 'Access tokens need `api:write`.',
  account: 'Needs an API key; of access tokens only the console’s own have the scope.',
} as const satisfies Record<Access, string>

/** The first sentence of a description, without its final punctuation. */
const summaryOf = (doc: string): string => /^.*?[.;:](?=\s|$)/.exec(doc)?.[0].replace(/[.;:]$/, '') ?? doc

function parametersOf(
  components: Components,
  catalog: Catalog,
  operation: HttpOperation,
  resource: PublishedResource | undefined,
): Node[] {
  const [method, path = ''] = operation.http.split(' ')
  const shaped = resource !== undefined && operation.kind !== 'read'
  return [
    ...pathParameters(components, path, resource, operation),
    ...(operation.kind === 'list' && resource !== undefined
      ? listParameters(components, catalog, resource)
      : []),
    ...(shaped ? shapeParameters(components, catalog, resource) : []),
    tenantParameter(components),
    ...(method === 'GET' && operation.kind !== 'list' ? [validatorParameter(components)] : []),
    ...(isIdempotent(operation) ? [idempotencyParameter(components)] : []),
  ]
}

const isIdempotent = (operation: HttpOperation): boolean =>
  (operation.kind === 'create' || operation.kind === 'action') && operation.idempotent === true

/** The statuses that an operation may answer when it fails. Another method on its path is answered with 405. */
function refusedStatuses(operation: HttpOperation): number[] {
  const takesBody = operation.kind === 'create' || operation.kind === 'update' || operation.kind === 'action'
  const looksUp = operation.http.includes('/:') || changesSomething(operation)
  const mayConflict =
    operation.kind === 'create' ||
    operation.kind === 'update' ||
    operation.kind === 'delete' ||
    isIdempotent(operation)
  const own = operation.kind === 'action' ? (operation.refuses ?? []) : []
  const statuses = new Set<number>([
    ...[400, 401, 403, 406, 408, 429, 431, 500, 503],
    ...(looksUp ? [404] : []),
    ...(mayConflict ? [409] : []),
    ...(takesBody ? [411, 413, 415] : []),
    ...own.map((code) => REFUSALS[code].status),
  ])
  return [...statuses].sort((a, b) => a - b)
}
