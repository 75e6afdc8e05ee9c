// What responses have by their status: the headers that programs read, and for a refusal the codes that a client may
// receive.
import { STATUS_CODES } from 'node:http'
import { wholeObject } from '../../contract/schemas.ts'
import { REFUSALS, type RefusalCode } from '../../kernel/refusal.ts'
import { JSON_API } from '../http/error_document.ts'
import {
  type Components,
  componentName,
  type Node,
  type Reference,
  type StatedCeilings,
} from './components.ts'
import { putCommon } from './resource_schemas.ts'

interface DescribedHeader {
  readonly name: string
  readonly description: string
  readonly schema: Node
  readonly example: unknown
  /** Absent where the operation decides. */
  readonly comesWith?: (status: number) => boolean
}

const text: Node = { type: 'string' }

/** These statuses are answered before any budget is charged. */
const IN_THE_PARSER: ReadonlySet<number> = new Set([408, 431])
const charged = (status: number): boolean => !IN_THE_PARSER.has(status)

const HEADERS: readonly DescribedHeader[] = [
  {
    name: 'X-Request-Id',
    description:
      'The id of the request. Our log has it, and the first error of the answer has it as its `id`: name it when you ask for help.',
    schema: { type: 'string', format: 'uuid' },
    example: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    comesWith: () => true,
  },
  {
    name: 'RateLimit-Policy',
    description: 'The budget the request was charged to: so many requests (`q`) in so many seconds (`w`).',
    schema: text,
    example: '"caller";q=120;w=60',
    comesWith: charged,
  },
  {
    name: 'RateLimit',
    description: 'What is left of it (`r`), and when it fits again in seconds (`t`).',
    schema: text,
    example: '"caller";r=119',
    comesWith: charged,
  },
  {
    name: 'Retry-After',
    description: 'Seconds to wait.',
    schema: { type: 'integer', minimum: 0 },
    example: 12,
    comesWith: (status) => status === 408 || status === 409 || status === 429 || status === 503,
  },
  {
    name: 'WWW-Authenticate',
    description:
      'Where the metadata of the authorization server is; with a token that lacks it, the scope that is needed.',
    schema: text,
    example: 'Bearer resource_metadata="https://pharos.example.com/.well-known/oauth-protected-resource"',
    comesWith: (status) => status === 401 || status === 403,
  },
  {
    name: 'Allow',
    description: 'The methods that are published on the path.',
    schema: text,
    example: 'GET, HEAD, POST',
    comesWith: (status) => status === 405,
  },
  {
    name: 'ETag',
    description: 'Strong, over the body: send it back as `If-None-Match`.',
    schema: text,
    example: '"u8vXPjI5Rl3k1Jc8-YjTAtv4QyIh6nq2WcA5t5m5O0E"',
  },
  {
    name: 'Location',
    description: 'The address of what was made.',
    schema: { type: 'string', format: 'uri' },
    example: 'https://pharos.example.com/api/json/items/01MB78W7FGY7TZHKNWE7WA3Z57',
  },
]

/** The headers of a response by name: those of its status, and one that its operation adds. */
export const headersFor = (components: Components, status: number, added?: 'ETag' | 'Location'): Node =>
  Object.fromEntries(
    HEADERS.filter(({ name, comesWith }) => name === added || comesWith?.(status) === true).map(
      ({ name, comesWith: _, ...header }) => [name, components.put('headers', name, header)],
    ),
  )

/** Every status that at least one code has. */
export const REFUSED_STATUSES: readonly number[] = [
  ...new Set(Object.values(REFUSALS).map(({ status }) => status)),
].sort((a, b) => a - b)

/** e.g. 404 → `NotFound` */
const responseName = (status: number): string =>
  (STATUS_CODES[status] ?? `Status ${status}`).replace(/[^A-Za-z0-9]/g, '')

export function refusedResponse(components: Components, status: number): Reference {
  const name = responseName(status)
  const [first = 'internal'] = codesOf(status)
  const example = exampleErrors(components.ceilings, status, first)
  return components.put('responses', name, {
    description: DESCRIPTIONS[status] ?? STATUS_CODES[status] ?? `${status}`,
    headers: headersFor(components, status),
    content: { [JSON_API]: components.content(putErrors(components, status), name, example) },
  })
}

const codesOf = (status: number): RefusalCode[] => CODES.filter((code) => REFUSALS[code].status === status)

const isCode = (name: string): name is RefusalCode => Object.hasOwn(REFUSALS, name)
const CODES = Object.keys(REFUSALS).filter(isCode)

/** The most serious problem decides the status of an answer. So a 409 may also list problems of status 400. */
function putErrors(components: Components, status: number): Reference {
  const own = putProblem(components, status)
  const items = status === 409 ? { anyOf: [own, putProblem(components, 400)] } : own
  const errors = { type: 'array', minItems: 1, maxItems: components.ceilings.problems, items }
  return components.put(
    'schemas',
    `Errors${status}`,
    wholeObject({ jsonapi: putCommon(components, 'JsonApi'), errors }),
  )
}

function putProblem(components: Components, status: number): Reference {
  const codes = codesOf(status)
  const lines = codes.map((code) => {
    const { meaning, kind } = REFUSALS[code]
    return `- \`${code}\`: ${meaning}${kind === 'transient' ? ' (trying again can help)' : ''}`
  })
  // The schema repeats the shared members, because some client generators drop all but the
  // base of an extended schema.
  return components.put('schemas', `Problem${status}`, {
    type: 'object',
    description: 'One thing that is wrong. Programs branch on `code` and `meta`; `detail` may be reworded.',
    properties: {
      id: { type: 'string', format: 'uuid', description: 'Also in the service’s log.' },
      status: { type: 'string', const: String(status) },
      code: components.put('schemas', `ProblemCode${status}`, {
        type: 'string',
        enum: codes,
        description: lines.join('\n'),
      }),
      title: { type: 'string', description: 'The code in another spelling.' },
      detail: { type: 'string', description: 'For people.' },
      source: components.put('schemas', 'ProblemSource', SOURCE),
      meta: components.put('schemas', 'ProblemMeta', META),
    },
    required: ['id', 'status', 'code', 'title', 'detail', 'meta'],
  })
}

const SOURCE: Node = {
  type: 'object',
  description: 'Where: a JSON pointer into the body, or a parameter by its name.',
  properties: { pointer: { type: 'string' }, parameter: { type: 'string' } },
  minProperties: 1,
  maxProperties: 1,
}

const META: Node = {
  type: 'object',
  maxProperties: 16,
  description: 'Values the refusal depends on, such as a maximum.',
}

const exampleErrors = (ceilings: StatedCeilings, status: number, code: RefusalCode): object => ({
  jsonapi: { version: '1.1' },
  errors: [
    {
      id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
      status: String(status),
      code,
      title: componentName(code),
      detail: REFUSALS[code].meaning,
      ...(EXAMPLE_PLACES[status] ?? {}),
      meta: exampleMetas(ceilings)[status] ?? {},
    },
  ],
})

const EXAMPLE_PLACES: Readonly<Record<number, object>> = {
  400: { source: { parameter: 'tenant' } },
  409: { source: { pointer: '/data/type' } },
}

const exampleMetas = ({ body_bytes, header_bytes }: StatedCeilings): Readonly<Record<number, object>> => ({
  413: { max_bytes: body_bytes },
  431: { max_bytes: header_bytes },
  429: { retry_after_ms: 11_870, limit: 120 },
})

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'Something in the request is no good. All that is wrong is told at once, each with its place.',
  401: 'The credential is missing, blank, malformed, unknown, expired or revoked.',
  403: 'The caller may not do this, or the plan has no more of it: `plan_limit` says how much in `meta.limit`, and in `meta.resets_at` when a daily allowance begins anew. An access token without the needed scope is told so in `WWW-Authenticate`, with an empty body.',
  404: 'There is no such record, or none that the caller may read: the two look the same.',
  405: 'The path is known, the method is not published on it.',
  406: 'Every `application/vnd.api+json` in `Accept` has parameters.',
  409: 'The request contradicts what is there, or itself; or what is asked for is not there yet, and `Retry-After` says when to ask again.',
  408: 'The request did not arrive in full in time. The connection is closed.',
  411: 'A body that says neither how long it is nor that it is JSON.',
  413: 'The body is larger than allowed; `meta.max_bytes` is the limit. The connection is closed.',
  415: 'The body is of another type, or its type has parameters that are not served, or it was compressed: a `Content-Encoding` is not read.',
  422: 'What is named cannot be processed, now or later.',
  429: 'A budget is spent. `meta.retry_after_ms` says when it fits again, `meta.limit` which one it was.',
  431: 'Request target and header fields together are longer than `meta.max_bytes`. The connection is closed.',
  500: 'A fault of ours; its `id` stands in our log.',
  503: 'Not just now; the same request may be sent again.',
}
