// Content negotiation of JSON:API 1.1: which body types are accepted and which Accept headers can be served.
import type { IncomingMessage } from 'node:http'
import { refuse } from '../../kernel/refusal.ts'
import { JSON_API } from '../http/error_document.ts'

interface MediaType {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

/** @throws not_acceptable when every application/vnd.api+json in Accept has parameters that we do not support */
export function checkAccept(header: string | undefined): void {
  if (header === undefined || !header.toLowerCase().includes(JSON_API)) return
  const ours = splitOutsideQuotes(header, ',')
    .map(readMediaType)
    .filter(({ type }) => type === JSON_API)
  const served = ({ parameters }: MediaType) =>
    [...parameters.keys()].every((name) => name === 'profile' || name === 'q')
  if (ours.length > 0 && !ours.some(served)) throw refuse('not_acceptable')
}

/**
 * True when the request has no body and declares no type. Chunked bodies without a type were
 * handled by the length rule.
 */
export const comesWithoutBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['content-type'] === undefined && Number(headers['content-length'] ?? 0) === 0

/**
 * @throws unsupported_media_type for any other type than the two JSON types, and for
 * extensions, because we support none
 */
export function checkContentType(header: string | undefined): void {
  const { type, parameters } = readMediaType(header ?? '')
  if (type === 'application/json') return
  const known = [...parameters.keys()].every((name) => name === 'profile')
  if (type !== JSON_API || !known) throw refuse('unsupported_media_type')
}

function readMediaType(text: string): MediaType {
  const [type = '', ...rest] = splitOutsideQuotes(text, ';').map((part) => part.trim())
  const parameters = new Map<string, string>()
  for (const part of rest) {
    if (part === '') continue
    const equals = part.indexOf('=')
    parameters.set(
      (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase(),
      equals < 0 ? '' : part.slice(equals + 1).trim(),
    )
  }
  return { type: type.toLowerCase(), parameters }
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\\' && quoted) at += 1
    else if (char === '"') quoted = !quoted
    else if (char === separator && !quoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}
