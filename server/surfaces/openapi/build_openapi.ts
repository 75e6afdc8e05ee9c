// Builds an OpenAPI 3.1 document from the catalog.

import type { Catalog } from '../../catalog/catalog.ts'
import { API_ROOT } from '../../catalog/route_list.ts'
import { collectComponents, type StatedCeilings } from './components.ts'
import { REFUSED_STATUSES, refusedResponse } from './error_responses.ts'
import { type Node, type PlacedOperation, placeOperations } from './node.ts'
import { operationObject, securitySchemes } from './operation_object.ts'
import { webhooks } from './webhooks.ts'

interface DocumentParts {
  readonly catalog: Catalog
  /** The public origin, e.g. `http://localhost:4000`. */
  readonly base: string
  /** The package's version. */
  readonly version: string
  readonly ceilings: StatedCeilings
}

/** Returns the whole document. The same catalog and settings always give the same document. */
export function buildOpenApi({ catalog, base, version, ceilings }: DocumentParts): Node {
  const components = collectComponents(ceilings)
  const placed = placeOperations(catalog)
  const paths: Record<string, Record<string, Node>> = {}
  for (const one of placed) {
    const [method = '', path = ''] = one.operation.http.split(' ')
    const address = `${API_ROOT}${path.replace(/:(\w+)/g, '{$1}')}`
    const item = paths[address] ?? {}
    paths[address] = item
    item[method.toLowerCase()] = operationObject(components, catalog, one)
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
    webhooks: webhooks(components, catalog),
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
