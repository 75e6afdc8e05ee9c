// Builds an OpenAPI 3.1 document from the catalog.
import { API_ROOT, type Catalog, type PublishedRoute, type RoutedOperation } from '../../catalog/catalog.ts'
import { type Access, changesSomething, isIdempotent } from '../../contract/operation.ts'
import { REFUSALS } from '../../kernel/refusal.ts'
import { API_SCOPE_OF } from '../http/identify.ts'
import { requestBody, successResponses, takesBody } from './bodies.ts'
import { Components, type Node, type StatedCeilings } from './components.ts'
import { FILTER_PROSE } from './filters.ts'
import { parametersOf } from './parameters.ts'
import { REFUSED_STATUSES, refusedResponse } from './responses.ts'
import { webhooks } from './webhooks.ts'

/**
 * Returns the whole document. The same catalog and settings always give the same document.
 * @param base the public origin, e.g. `http://localhost:4000`
 * @param version the package's version
 */
export function buildOpenApi(
  catalog: Catalog,
  base: string,
  version: string,
  ceilings: StatedCeilings,
): Node {
  const components = new Components(catalog, ceilings)
  const placed = placeOperations(catalog)
  const paths: Record<string, Record<string, Node>> = {}
  for (const one of placed) {
    const [method = '', path = ''] = one.operation.http.split(' ')
    const address = `${API_ROOT}${path.replace(/:(\w+)/g, '{$1}')}`
    paths[address] = { ...paths[address], [method.toLowerCase()]: operationObject(components, one) }
  }
  // Also describe statuses that belong to no single operation, such as 405.
  for (const status of REFUSED_STATUSES) refusedResponse(components, status)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pharos',
      version,
      summary: 'Timestamps and verifiable proofs.',
      description: description(ceilings),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'Articles: how to use it, step by step.', url: `${base}/docs` },
    servers: [{ url: base }],
    tags: tagsOf(catalog, placed),
    paths,
    webhooks: webhooks(components),
    components: {
      ...components.all(),
      securitySchemes: securitySchemes(base),
    },
  }
}

function tagsOf({ resources, groups }: Catalog, placed: readonly PlacedOperation[]): Node[] {
  return [...new Set(placed.map(({ tag }) => tag))].map((name) => {
    const description = resources.find(({ type }) => type === name)?.doc ?? groups[name]
    return { name, ...(description === undefined ? {} : { description }) }
  })
}

const description = (
  ceilings: StatedCeilings,
): string => `Items become blocks, blocks become beacons, and proofs of them can be verified by anybody.

- **Credentials.** Every request carries \`Authorization: Bearer …\` with an API key, which may do everything, or an OAuth 2.1 access token, which needs the scope of the operation; \`api:write\` implies \`api:read\`.
- **Documents** follow JSON:API 1.1. Send \`application/vnd.api+json\` or \`application/json\`; answers are \`application/vnd.api+json\`. Actions take \`{data: {…}}\` and answer \`{result: …}\`.
- **Pages.** Follow \`links.next\` and \`links.prev\` as they are. Parameters of other names than those listed are ignored.
- **Errors** list all that is wrong at once, each with its \`code\` and place. Branch on \`code\` and \`meta\`, never on \`detail\`.
- **Ceilings.** A body has at most ${ceilings.body_bytes} bytes, address and header fields together ${ceilings.header_bytes}; an answer at most ${ceilings.response_bytes} bytes and ${ceilings.included_rows} included records: a page ends before it would pass them, and goes on at \`links.next\`. What else is bounded says so in its schema.
- **HEAD** answers as GET without a body. Another method on a known path answers 405 with \`Allow\`.
- **Budgets.** \`RateLimit\` tells what is left; a 429 says in \`Retry-After\` when to come back.
- **Changes** are additive; what is to be removed carries a \`Deprecation\` header for six months.`

interface PlacedOperation extends PublishedRoute {
  readonly tag: string
}

/**
 * Tags operations by their resource's type. An action gets the resource whose path it extends, or
 * else its first path segment.
 */
function placeOperations({ resources, routed }: Catalog): PlacedOperation[] {
  const owner = ({ http }: RoutedOperation): string => {
    const path = http.split(' ')[1] ?? ''
    const resource = resources.find((one) => path.startsWith(`${one.path}/`))
    return resource?.type ?? path.split('/')[1] ?? ''
  }
  return routed.map((one) => ({ ...one, tag: one.resource?.type ?? owner(one.operation) }))
}

/** The scopes that any client may ask for. `account` is the console's own and stands here for the operations' sake. */
const SCOPES = {
  'api:read': 'Read, use the utilities and the knowledge base, generate and verify proofs.',
  'api:write': 'Everything else on the API, and reading.',
  account: 'Change credentials and memberships. Only the service’s own console gets it.',
} as const satisfies Record<(typeof API_SCOPE_OF)[keyof typeof API_SCOPE_OF], string>

/** @param base the public origin, on which all endpoints of the authorization server lie */
const securitySchemes = (base: string): Node => ({
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

function operationObject(components: Components, { tag, ...of }: PlacedOperation): Node {
  const { operation, resource } = of
  const prose = operation.kind === 'list' ? ` ${FILTER_PROSE}` : ''
  return {
    operationId: operation.name,
    tags: [tag],
    summary: summaryOf(operation.doc),
    description: `${operation.doc}${prose} ${NEEDS[operation.access]}`,
    parameters: parametersOf(components, of),
    ...(takesBody(operation) ? { requestBody: requestBody(components, { operation, resource }) } : {}),
    // Either of the two.
    security: [{ api_key: [] }, { oauth2: [API_SCOPE_OF[operation.access]] }],
    responses: Object.fromEntries([
      ...Object.entries(successResponses(components, of)),
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

/** The statuses that an operation may answer when it fails. Another method on its path is answered with 405. */
function refusedStatuses(operation: RoutedOperation): number[] {
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
    ...(takesBody(operation) ? [411, 413, 415] : []),
    ...own.map((code) => REFUSALS[code].status),
  ])
  return [...statuses].sort((a, b) => a - b)
}
