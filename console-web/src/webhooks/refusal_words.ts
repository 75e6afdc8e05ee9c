// The service's refusals about an endpoint in words, each at its field.
import { type ApiFailure, type Problem, sentence } from '../data/api_failure.ts'
import { numberAt, textAt } from '../data/json_object.ts'
import type { RefusedFields } from '../data/refused_fields.ts'

/** By `meta.reason`. */
export const REASON_WORDS = {
  not_https:
    'The address must begin with https://. Deliveries carry what concerns your items, and perhaps a secret.',
  embedded_credentials: 'Leave user name and password out of the address. A bearer secret can be set below.',
  blocked_host:
    'localhost is never called. For a trial on this machine write 127.0.0.1, and allow it (see beside).',
  private_address:
    'This host leads to a private or reserved address, which the service does not call. For a trial, allow it (see beside).',
  invalid_url: 'This is not a complete address. It looks like https://example.com/hooks/pharos.',
  unknown_event: 'The service knows no such event.',
  empty: 'Choose at least one event.',
  forbidden_header: 'This header cannot be set: the service sets it itself, or it is not a header’s name.',
  control_character: 'There is a character in it that a header cannot carry, such as a line break.',
} as const

const REQUIRED: Readonly<Record<string, string>> = {
  url: 'Where should deliveries go?',
  events: 'Choose at least one event.',
  auth_secret: 'Deliveries that carry a bearer secret need one.',
}

const MOVED: Readonly<Record<string, string>> = {
  auth_secret: 'The address leads to another host: type the secret for it, or choose Nothing.',
  custom_headers: 'The address leads to another host: give the headers again, or remove them.',
}

/** A problem of one header is under `custom_headers/<name>`. */
export const refusedWords = (failure: ApiFailure): RefusedFields => {
  const fields = new Map<string, string>()
  const rest: string[] = []
  for (const problem of failure.problems) {
    const field = fieldOf(problem.pointer)
    if (field === null) rest.push(wholeWords(problem))
    else if (!fields.has(field)) fields.set(field, fieldWords(field, problem))
  }
  const nothingSaid = fields.size === 0 && rest.length === 0
  return { fields, whole: nothingSaid ? failure.message : rest.join(' ') || null }
}

/** `/data/attributes/custom_headers/X-A` is one header; `/data/attributes/events/0` is the events field. */
const fieldOf = (pointer: string | null): string | null => {
  const [, data, attributes, field, ...rest] = (pointer ?? '').split('/').map(unescaped)
  if (data !== 'data' || attributes !== 'attributes' || field === undefined) return null
  return field === 'custom_headers' && rest.length > 0 ? `${field}/${rest.join('/')}` : field
}

/** RFC 6901. */
const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

const fieldWords = (field: string, { code, detail, meta }: Problem): string => {
  const reason = textAt(meta, 'reason') ?? ''
  if (isReason(reason)) return REASON_WORDS[reason]
  if (reason === 'origin_changed') return MOVED[field] ?? detail
  if (code === 'required' && Object.hasOwn(REQUIRED, field)) return REQUIRED[field] ?? detail
  return `This ${detail}.`
}

const isReason = (reason: string): reason is keyof typeof REASON_WORDS => Object.hasOwn(REASON_WORDS, reason)

const wholeWords = ({ code, detail, meta }: Problem): string => {
  if (code !== 'plan_limit') return sentence(detail)
  const limit = numberAt(meta, 'limit')
  const plan = textAt(meta, 'plan')
  const whose = plan === null ? 'Your plan' : `Your plan (${plan})`
  if (limit === 0) return `${whose} includes no webhook endpoints.`
  return `${whose} includes ${limit} webhook endpoints, and you have as many. Delete one that is no longer needed.`
}
