// What an endpoint may be: every rule over one attribute, each with the reason programs branch on.
import { EVENT_NAMES, isEventOf, type ResourceType } from '../../../shared/wire/webhook_events.ts'
import { type Problem, problem } from '../../kernel/refusal.ts'
import type { Guard, Verdict } from './guard/vet_target.ts'

/** Code points, and entries; the kinds of the attributes judge them. */
export const ENDPOINT_LIMITS = {
  url: 2_048,
  secret: 4_096,
  description: 1_000,
  headers: 20,
  headerName: 64,
  headerValue: 1_024,
} as const

/** `meta.reason` of an `invalid_attribute`, and what it tells people. */
const REASONS = {
  not_https: 'must use https',
  embedded_credentials: 'must not embed credentials',
  blocked_host: 'names a host that is never called',
  private_address: 'leads to a private or reserved address',
  invalid_url: 'is not an absolute address',
  unknown_event: `is none of ${EVENT_NAMES.join(', ')}`,
  empty: 'must not be empty',
  forbidden_header: 'is a header that cannot be set',
  control_character: 'must not contain control characters',
} as const

export type EndpointReason = keyof typeof REASONS

const because = (reason: EndpointReason, ...path: string[]): Problem =>
  problem('invalid_attribute', { path, detail: REASONS[reason], meta: { reason } })

/** Everything that can be said of an address without asking anybody. A text that is no URL has no other mistake. */
export function checkUrl(guard: Pick<Guard, 'vetAtOnce'>, text: string): Problem[] {
  const url = readUrl(text)
  if (url === undefined) return [because('invalid_url', 'url')]
  const reasons: EndpointReason[] = []
  if (url.protocol !== 'https:') reasons.push('not_https')
  if (url.username !== '' || url.password !== '') reasons.push('embedded_credentials')
  return [
    ...reasons.map((reason) => because(reason, 'url')),
    ...targetProblems(guard.vetAtOnce(url) ?? { verdict: 'unresolved' }),
  ]
}

/** The same of what its name resolves to. A name that does not resolve is accepted, and judged when it is called. */
export async function checkTarget(guard: Guard, text: string): Promise<Problem[]> {
  const url = readUrl(text)
  return url === undefined || guard.vetAtOnce(url) !== undefined ? [] : targetProblems(await guard.vet(url))
}

function targetProblems({ verdict }: Verdict): Problem[] {
  switch (verdict) {
    case 'blocked_host':
    case 'private_address':
      return [because(verdict, 'url')]
    case 'allowed':
    case 'unresolved':
      return []
    default:
      return verdict satisfies never
  }
}

/** The parser forgives white space, line breaks and what stands around an address; nobody means them. */
function readUrl(text: string): URL | undefined {
  if (/[\s\p{Cc}\\]/u.test(text) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined
  const url = URL.parse(text)
  return url !== null && canResolve(url.hostname) && url.port !== '0' ? url : undefined
}

/** RFC 1035, 2.3.4: whatever is not like this has no address now, and never will. */
const NAME = { name: 253, label: 63 } as const

/** A dot at the end is none of a label. Literals pass: they are judged as addresses. */
function canResolve(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  if (name.length > NAME.name) return false
  return name.split('.').every((label) => label !== '' && label.length <= NAME.label)
}

export function checkEvents(resource: ResourceType, events: readonly string[]): Problem[] {
  const seen = new Set<string>()
  return events.flatMap((name, index) => {
    if (!isEventOf(resource, name)) return [because('unknown_event', 'events', String(index))]
    if (!hasSeen(seen, name)) return []
    return [problem('invalid_attribute', { path: ['events', String(index)], detail: 'is there twice' })]
  })
}

/** And has from now on. */
function hasSeen(seen: Set<string>, name: string): boolean {
  const before = seen.size
  return seen.add(name).size === before
}

export const checkSecret = (secret: string): Problem[] =>
  UNSENDABLE.test(secret) ? [because('control_character', 'auth_secret')] : []

/** A header's value holds visible characters, spaces and tabs (RFC 9110); anything else would break the request. */
const UNSENDABLE = /[^\t\P{Cc}]|\p{Cs}/u

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** What the service itself says, what belongs to one connection only, and what would say where a message ends. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'webhook-id',
])
const FORBIDDEN_FAMILIES = ['x-pharos-', 'proxy-'] as const

/** Of as many as their kind lets through. */
export function checkHeaders(headers: Readonly<Record<string, string>>): Problem[] {
  const seen = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]) => {
    const place = ['custom_headers', name]
    const lower = name.toLowerCase()
    const isForbidden =
      !TOKEN.test(name) ||
      FORBIDDEN.has(lower) ||
      FORBIDDEN_FAMILIES.some((family) => lower.startsWith(family))
    return [
      ...(UNSENDABLE.test(name) || UNSENDABLE.test(value) ? [because('control_character', ...place)] : []),
      ...(isForbidden && !UNSENDABLE.test(name) ? [because('forbidden_header', ...place)] : []),
      ...(hasSeen(seen, lower)
        ? [problem('invalid_attribute', { path: place, detail: 'is there twice' })]
        : []),
    ]
  })
}
