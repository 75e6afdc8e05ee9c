// The rules for the attributes of an endpoint. Each has a reason on which client programs can branch.
import { eventsOf, isEventOf, type ResourceType } from '../../../../shared/wire/webhook_events.ts'
import { type Problem, problem } from '../../../kernel/refusal.ts'
import type { Guard, TargetVerdict } from '../../../outgoing/guard.ts'
import type { AuthType, EndpointKind } from './endpoint.ts'
import { SIGNATURE_HEADERS } from './signing_keys.ts'

/** Lengths in code points, and numbers of headers and requests. The kinds of the attributes check them. */
export const ENDPOINT_LIMITS = {
  url: 2_048,
  secret: 4_096,
  description: 1_000,
  headers: 20,
  headerName: 64,
  headerValue: 1_024,
  /** Requests per second that an owner can ask for at most. */
  perSecond: 1_000,
} as const

/** The `meta.reason` of an `invalid_attribute`, with its text. */
const REASONS = {
  not_https: 'must use https',
  embedded_credentials: 'must not embed credentials',
  blocked_host: 'names a host that is never called',
  private_address: 'leads to a private or reserved address',
  invalid_url: 'is not an absolute address',
  unknown_event: 'is no event',
  empty: 'must not be empty',
  forbidden_header: 'is a header that cannot be set',
  control_character: 'must not contain control characters',
} as const

export type EndpointReason = keyof typeof REASONS

const because = (reason: EndpointReason, ...path: string[]): Problem =>
  problem('invalid_attribute', { path, detail: REASONS[reason], meta: { reason } })

/** A mistake that has no reason of its own. */
const amiss = (detail: string, ...path: string[]): Problem => problem('invalid_attribute', { path, detail })

/** Checks an address without any network call. A text that is not a URL gets only that one problem. */
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

/**
 * Checks the addresses to which the host resolves. A name that does not resolve is accepted here and checked again at
 * each call.
 */
export async function checkTarget(guard: Guard, text: string): Promise<Problem[]> {
  const url = readUrl(text)
  return url === undefined || guard.vetAtOnce(url) !== undefined ? [] : targetProblems(await guard.vet(url))
}

function targetProblems({ verdict }: TargetVerdict): Problem[] {
  switch (verdict) {
    case 'blocked_host':
    case 'private_address':
      return [because(verdict, 'url')]
    case 'allowed':
    case 'unresolved':
    case 'own_receiver':
      return []
    default:
      return verdict satisfies never
  }
}

/** The URL parser accepts white space and line breaks, which are always mistakes, so they are refused here. */
function readUrl(text: string): URL | undefined {
  if (/[\s\p{Cc}\\]/u.test(text) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined
  const url = URL.parse(text)
  return url !== null && canResolve(url.hostname) && url.port !== '0' ? url : undefined
}

/** RFC 1035, 2.3.4. Other names can never resolve. */
const NAME = { name: 253, label: 63 } as const

/** A trailing dot is not part of a label. IP literals pass here and are checked as addresses. */
function canResolve(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  if (name.length > NAME.name) return false
  return name.split('.').every((label) => label !== '' && label.length <= NAME.label)
}

/** Refuses for a pull endpoint what only a push endpoint has. */
export function checkGoesWithKind(
  kind: EndpointKind,
  given: {
    readonly url?: string | undefined
    readonly auth_type?: AuthType | undefined
    readonly auth_secret?: string | undefined
    readonly custom_headers?: object | null | undefined
  },
): Problem[] {
  if (kind === 'push') return []
  const { url, auth_type, auth_secret, custom_headers } = given
  const wrong = [
    ...(url === undefined ? [] : ['url']),
    ...(auth_type === undefined || auth_type === 'none' ? [] : ['auth_type']),
    ...(auth_secret === undefined ? [] : ['auth_secret']),
    ...(Object.keys(custom_headers ?? {}).length === 0 ? [] : ['custom_headers']),
  ]
  return wrong.map((name) => amiss('comes only with kind push: nothing is sent to a pull endpoint', name))
}

export function checkEvents(resource: ResourceType, events: readonly string[]): Problem[] {
  const seen = new Set<string>()
  return events.flatMap((name, index) => {
    if (!isEventOf(resource, name)) {
      const detail = `is none of ${eventsOf(resource).join(', ')}`
      return [{ ...because('unknown_event', 'events', String(index)), detail }]
    }
    if (!hasSeen(seen, name)) return []
    return [amiss('is there twice', 'events', String(index))]
  })
}

/** Endpoints belong to accounts, so what is about them is of no team. */
export const checkTeamGoesWith = (resource: ResourceType, teamId: string | null | undefined): Problem[] =>
  resource === 'item' || !teamId ? [] : [amiss('comes only with resource_type item', 'team_filter_id')]

/** Returns whether the set has the name already, and adds it. */
function hasSeen(seen: Set<string>, name: string): boolean {
  const before = seen.size
  return seen.add(name).size === before
}

export const checkSecret = (secret: string): Problem[] =>
  UNSENDABLE.test(secret) ? [because('control_character', 'auth_secret')] : []

/**
 * A header value may contain visible characters, spaces and tabs (RFC 9110). Other characters would break the
 * request.
 */
const UNSENDABLE = /[^\t\P{Cc}]|\p{Cs}/u

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Headers that the service sets itself, that belong to one connection, or that delimit a message. */
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
  ...SIGNATURE_HEADERS,
])
const FORBIDDEN_FAMILIES = ['x-pharos-', 'proxy-'] as const

/** The kind of the attribute limits their number. */
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
      ...(hasSeen(seen, lower) ? [amiss('is there twice', ...place)] : []),
    ]
  })
}
