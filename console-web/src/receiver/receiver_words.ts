// What arrived at the built-in receiver, in words, and why there is none.
import { count, plural } from '../ui/format.ts'
import type { Arrival } from './receiver.ts'

const SECRETS: Readonly<Record<string, string>> = {
  none: 'The endpoint has none, so the request carries none.',
  matches: 'It is the secret of the endpoint.',
  differs: 'It is not the secret of the endpoint.',
  missing: 'The endpoint has one, and the request carries none.',
  unknown: 'Not compared: the request is no delivery of yours, or its endpoint is gone.',
}

export const secretWords = ({ secret }: Arrival): string => SECRETS[secret] ?? SECRETS.unknown ?? ''

/** Whoever has the key checks it, so nothing is said of whether it is right. */
export const signatureWords = (arrival: Arrival): string => {
  const signatures = headerOf(arrival, 'webhook-signature').split(' ').filter(Boolean)
  if (signatures.length === 0) return 'None.'
  const schemes = [...new Set(signatures.map((one) => one.split(',')[0]))].join(' and ')
  return `By ${plural(signatures.length, 'key')} (${schemes}). What the service recorded has a line that checks it.`
}

const REASONS: Readonly<Record<string, string>> = {
  host: 'This server listens beyond its own machine (HOST is no loopback address).',
  base_url: 'This server has a public address (BASE_URL).',
  proxy: 'A proxy stands in front of this server.',
}

/** Why there is no receiver. */
export const reasonWords = (reason: string): string => REASONS[reason] ?? 'This server has none.'

/** The event that a request is about. Empty when the request does not say. */
export const eventOf = (arrival: Arrival): string => headerOf(arrival, 'x-pharos-event')

/** How often the event of a request had arrived when the request came, by its `webhook-id`. */
export const timesSeen = (newestFirst: readonly Arrival[], at: number): number => {
  const [first, ...earlier] = newestFirst.slice(at).map((arrival) => headerOf(arrival, 'webhook-id'))
  return 1 + earlier.filter((message) => message !== '' && message === first).length
}

const headerOf = ({ headers }: Arrival, wanted: string): string =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? ''

/** How long the body is, and what of it cannot be seen as it came. */
export const bodyWords = ({ body, bodyBytes, keptBytes }: Arrival): string => {
  const cut = keptBytes < bodyBytes ? `, of which the first ${count(keptBytes)} are kept` : ''
  const strange = body.includes('\ufffd') ? '; what is no text is shown as \ufffd' : ''
  return `${count(bodyBytes)} ${bodyBytes === 1 ? 'byte' : 'bytes'}${cut}${strange}`
}

/** Indented where the body is JSON, and as it came otherwise. */
export const bodyText = ({ body }: Arrival): string => {
  try {
    JSON.parse(body)
    return indentedJson(body)
  } catch {
    return body
  }
}

/** Deeper levels stand below one another, so that a few bytes cannot become a text of megabytes. */
const DEEPEST = 20

/**
 * JSON on lines of its own, with every value as it came: numbers and repeated names are not read and written anew.
 * `json` must be valid.
 */
const indentedJson = (json: string): string => {
  let depth = 0
  const line = (deeper = 0): string => {
    depth += deeper
    return `\n${'  '.repeat(Math.min(depth, DEEPEST))}`
  }
  return json.replace(PARTS, (part) => {
    if (part === '{' || part === '[') return part + line(1)
    if (part === '}' || part === ']') return line(-1) + part
    if (part === ',') return part + line()
    if (part === ':') return ': '
    return part.startsWith('"') ? part : part.replace(/\s/g, '')
  })
}

/** Strings, empty lists and objects, signs, and the space between. */
const PARTS = /"(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[\]{},:]|\s+/g
