// Response headers that programs read, and the statuses that carry them.
import type { Components } from './components.ts'
import type { Node } from './node.ts'

interface Described {
  readonly name: string
  readonly description: string
  readonly schema: Node
  readonly example: unknown
  readonly comesWith: (status: number) => boolean
}

const text: Node = { type: 'string' }

/** These statuses are answered before any budget is charged. */
const IN_THE_PARSER: ReadonlySet<number> = new Set([408, 431])
const charged = (status: number): boolean => !IN_THE_PARSER.has(status)

const HEADERS: readonly Described[] = [
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
]

/** The headers of a response with this status, by name. */
export const headersFor = (components: Components, status: number): Node =>
  Object.fromEntries(
    HEADERS.filter(({ comesWith }) => comesWith(status)).map((one) => [one.name, put(components, one)]),
  )

const put = (
  components: Components,
  { name, description, schema, example }: Omit<Described, 'comesWith'>,
): Node => components.put('headers', name, { description, schema, example })

export const etagHeader = (components: Components): Node => ({
  ETag: put(components, {
    name: 'ETag',
    description: 'Strong, over the body: send it back as `If-None-Match`.',
    schema: text,
    example: '"u8vXPjI5Rl3k1Jc8-YjTAtv4QyIh6nq2WcA5t5m5O0E"',
  }),
})

export const locationHeader = (components: Components): Node => ({
  Location: put(components, {
    name: 'Location',
    description: 'The address of what was made.',
    schema: { type: 'string', format: 'uri' },
    example: 'https://pharos.example.com/api/json/items/01MB78W7FGY7TZHKNWE7WA3Z57',
  }),
})
