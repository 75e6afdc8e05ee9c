// What a client says of itself (RFC 7591 section 2): at its registration, in its own document, or by an operator; and which
// redirect addresses it may have (RFC 8252 sections 7 and 8, OAuth 2.1 section 2.3). Whether a request names one of them is
// decided by exact comparison, except for the port of a loopback address.
import { z } from 'zod'
import { FIRST_PARTY_NAME } from '../accounts/scope.ts'
import { AUTH_METHODS } from './client.ts'

export type DescribedClient = ReturnType<typeof describedClient>

/** The error codes of RFC 7591 section 3.2.2. */
export class InvalidClientMetadata extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata'

  constructor(code: InvalidClientMetadata['code'], message: string) {
    super(message)
    this.name = 'InvalidClientMetadata'
    this.code = code
  }
}

const NAME_LENGTH = 100

/** What is called so claims nothing. */
export const NAMELESS = 'An application without a name'

/** Text that turns around or hides what stands beside it could make a page say something else. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Letters of these scripts look like one another, so a word of several of them can pass for another word. */
const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
]

/** Cyrillic and Lisu letters that a whole word of our own console's name can be made of. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    'a\u0430\ua4ee',
    'c\u0441\ua4da',
    'e\u0435\ua4f0',
    'h\u04bb\u043d\ua4e7',
    'l\u04cf\ua4e1',
    'n\u043f\ua4e0',
    'o\u043e\ua4f3',
    'p\u0440\ua4d1',
    'r\u0433\ua4e3',
    's\u0455\ua4e2',
  ].flatMap(([letter = '', ...others]) => others.map((other) => [other, letter] as const)),
)

/** No language needs more marks on one letter. A pile of them covers the lines above and below. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu

/** Of one address, how many a client may have, and of all together. */
const REDIRECT_URI = { bytes: 2_048, count: 20, bytesInAll: 8_192 } as const

const METADATA = z.object({
  redirect_uris: z.array(z.string()).min(1).max(REDIRECT_URI.count),
  client_name: z.string().max(1_000).optional(),
  token_endpoint_auth_method: z.enum(AUTH_METHODS).optional(),
  grant_types: z.array(z.string().max(100)).max(10).optional(),
  response_types: z.array(z.string().max(100)).max(10).optional(),
})

/** What is read of it. Other members are ignored. @throws InvalidClientMetadata */
export function describedClient(metadata: unknown) {
  const read = METADATA.safeParse(metadata)
  if (!read.success) throw refusedShape(read.error)
  const { redirect_uris, client_name, token_endpoint_auth_method, grant_types, response_types } = read.data
  for (const [at, uri] of redirect_uris.entries()) {
    const reason = refusedRedirect(uri)
    if (reason !== undefined)
      throw new InvalidClientMetadata('invalid_redirect_uri', `redirect_uris[${at}] ${reason}`)
  }
  if (redirect_uris.join('').length > REDIRECT_URI.bytesInAll)
    throw new InvalidClientMetadata(
      'invalid_redirect_uri',
      `redirect_uris have more than ${REDIRECT_URI.bytesInAll} characters together`,
    )
  if (grant_types !== undefined && !grant_types.includes('authorization_code'))
    throw refusedMember('grant_types: authorization_code is the only one to begin with')
  if (response_types !== undefined && !response_types.includes('code'))
    throw refusedMember('response_types: code is the only one')
  const name = plainName(client_name)
  if (name?.split(/[^\p{L}\p{M}]+/u).some((word) => ALIKE.filter((script) => script.test(word)).length > 1))
    throw refusedMember('client_name: a word has letters of several scripts that look alike')
  if (lettersOf(name ?? '').includes(lettersOf(FIRST_PARTY_NAME)))
    throw refusedMember(`client_name: only our own console is called ${FIRST_PARTY_NAME}`)
  return {
    name: name ?? NAMELESS,
    redirectUris: [...new Set(redirect_uris)] as readonly string[],
    authMethod: token_endpoint_auth_method ?? ('none' as const),
  }
}

const refusedMember = (words: string): InvalidClientMetadata =>
  new InvalidClientMetadata('invalid_client_metadata', words)

function refusedShape({ issues: [issue] }: z.ZodError): InvalidClientMetadata {
  const path = issue?.path.map(String) ?? []
  const code = path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  return new InvalidClientMetadata(
    code,
    `${path.join('.') || 'the metadata'}: ${issue?.message ?? 'invalid'}`,
  )
}

function plainName(name: string | undefined): string | undefined {
  const spaced = (name ?? '').replace(DECEPTIVE, ' ').replace(PILED_MARKS, '$1').replace(/\s+/g, ' ')
  const plain = [...spaced.trim()].slice(0, NAME_LENGTH)
  return plain.length === 0 ? undefined : plain.join('')
}

/** Its letters alone, as they look, however they are decorated. */
const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\P{L}/gu, '')
    .replace(/./gu, (letter) => LOOKALIKES.get(letter) ?? letter)

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Schemes that run code, read files or lead nowhere, beside those that are judged by their host. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  'file:',
  'filesystem:',
  'about:',
  'view-source:',
  'ws:',
  'wss:',
  'ftp:',
  'mailto:',
  'tel:',
  'sms:',
  'intent:',
  'urn:',
])

/** A private scheme is written in lower case (RFC 3986 section 3.1), and belongs to an application. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+.-]*:$/

const HAS_HOST = /^https?:$/

/** Visible ASCII without what URL parsers remove, turn round or read differently. */
const PLAIN = /^[\x21-\x7e]+$/

/** Returns why the address cannot be registered, or undefined when it can. */
export function refusedRedirect(uri: string): string | undefined {
  if (uri.length > REDIRECT_URI.bytes) return `is longer than ${REDIRECT_URI.bytes} characters`
  const url = PLAIN.test(uri) && !/[\\<>"`{}|^]/.test(uri) ? URL.parse(uri) : null
  if (url === null) return 'is not an absolute address of visible ASCII characters'
  if (uri.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '' || authorityOf(uri).includes('@'))
    return 'has a user name or password'
  if (HAS_HOST.test(url.protocol) && authorityOf(uri) === '') return 'has no host after two slashes'
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:')
    return isLoopbackRedirect(uri) ? undefined : 'is http, which is for loopback addresses'
  if (REFUSED_SCHEMES.has(url.protocol)) return `has the scheme ${url.protocol.slice(0, -1)}`
  return PRIVATE_SCHEME.test(uri.slice(0, url.protocol.length)) ? undefined : 'has a scheme in upper case'
}

const authorityOf = (uri: string): string => /^[^:]*:\/\/([^/?]*)/.exec(uri)?.[1] ?? ''

/** A program on the person's own computer listens there. */
export function isLoopbackRedirect(uri: string): boolean {
  const url = URL.parse(uri)
  return url !== null && url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname)
}

/** Any program of the person's computer could have taken the address, so who asks is not known. */
export const isUnverified = (uri: string): boolean => URL.parse(uri)?.protocol !== 'https:'

/** The part of the address that a person can judge: its host, or its private scheme. */
export function redirectHost(uri: string): string {
  const url = new URL(uri)
  return HAS_HOST.test(url.protocol) ? url.host : url.protocol.slice(0, -1)
}
