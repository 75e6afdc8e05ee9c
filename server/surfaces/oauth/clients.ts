// Clients in the form that the library knows them in: our own console, those that are registered, those that register
// themselves (RFC 7591), and those that are named by the address of a document about them (OAuth Client ID Metadata
// Document).
import type { EntityManager } from '@mikro-orm/postgresql'
import type Koa from 'koa'
import { FIRST_PARTY_CLIENT, FIRST_PARTY_NAME } from '../../domain/accounts/scope.ts'
import { type AuthMethod, admitClient, findClient, newClientSecret } from '../../domain/oauth/client.ts'
import {
  type DescribedClient,
  describedClient,
  InvalidClientMetadata,
} from '../../domain/oauth/described_client.ts'
import { addressKey, networkKey } from '../../kernel/addresses.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { lru } from '../../kernel/lru.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { GetPinned } from '../../outgoing/vetted_request.ts'
import { noteAnswered } from '../http/identify.ts'
import { JSON_TYPE, readBody, readJson } from '../http/read_body.ts'
import type { Recorder } from './record_events.ts'
import { LIFETIMES } from './resources.ts'
import { answerJson, type OauthHouse } from './serve_routes.ts'

/** A type, because the library takes it for a record. */
export type ClientMetadata = {
  readonly client_id: string
  readonly client_name: string
  readonly redirect_uris: string[]
  readonly token_endpoint_auth_method: AuthMethod
  /** Not the secret, but its SHA-256 in base64url. */
  readonly client_secret?: string
  readonly client_secret_expires_at?: number
  readonly application_type: 'native' | 'web'
  readonly grant_types: ('authorization_code' | 'refresh_token')[]
  readonly response_types: 'code'[]
}

const clientMetadata = (
  id: string,
  { name, redirectUris, authMethod }: DescribedClient,
  secretHash: Uint8Array | null = null,
): ClientMetadata => ({
  client_id: id,
  client_name: name,
  redirect_uris: [...redirectUris],
  token_endpoint_auth_method: authMethod,
  ...(secretHash === null
    ? {}
    : { client_secret: Buffer.from(secretHash).toString('base64url'), client_secret_expires_at: 0 }),
  // Native clients may use loopback addresses with any port, and private schemes, beside https.
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
})

export const ownClient = (base: string): ClientMetadata => ({
  ...clientMetadata(FIRST_PARTY_CLIENT, {
    name: FIRST_PARTY_NAME,
    redirectUris: [`${base}/signed-in`],
    authMethod: 'none',
  }),
  // Its address is exact, whatever the host.
  application_type: 'web',
})

/** No id is longer. */
const ID_LENGTH = 2_048

/** @param findDescribed finds a client that is named by the address of a document about it */
export const findAnyClient =
  (em: () => EntityManager, findDescribed: (id: string) => Promise<ClientMetadata | undefined>) =>
  async (id: string): Promise<ClientMetadata | undefined> => {
    if (id.length > ID_LENGTH || id.includes('\0')) return undefined
    if (id.startsWith('https:')) return findDescribed(id)
    const row = await findClient(em(), id)
    if (row === undefined) return undefined
    const { name, redirect_uris: redirectUris, auth_method: authMethod } = row
    return clientMetadata(row.id, { name, redirectUris, authMethod }, row.secret_hash)
  }

const BODY_BYTES = 65_536

/** Registers a client that asks for it, and answers 201 with what was understood. @throws a refusal of the body itself */
export async function registerClient(
  ctx: Koa.Context,
  { em, clientAddress }: Pick<OauthHouse, 'em' | 'clientAddress'>,
  recorder: Recorder,
): Promise<void> {
  const metadata = await readMetadata(ctx)
  try {
    const described = describedClient(metadata)
    const id = newUuid7()
    const made = described.authMethod === 'none' ? undefined : newClientSecret()
    const address = addressKey(clientAddress(ctx.req))
    await admitClient(
      em('write'),
      { id, ...described, secretHash: made?.hash ?? null },
      { network: networkKey(address), signInSeconds: LIFETIMES.interaction },
    )
    recorder.granted('register', {
      client_id: id,
      auth_method: described.authMethod,
      redirect_uris: described.redirectUris,
      address,
    })
    const { application_type: _, ...shown } = clientMetadata(id, described)
    ctx.status = 201
    answerJson(ctx, {
      ...shown,
      client_id_issued_at: Math.floor(Date.now() / 1_000),
      ...(made === undefined ? {} : { client_secret: made.secret, client_secret_expires_at: 0 }),
    })
  } catch (error) {
    if (!(error instanceof InvalidClientMetadata)) throw error
    recorder.refused('register', { error: error.code, reason: error.message.slice(0, 200) })
    ctx.status = 400
    noteAnswered(ctx, { codes: [error.code] })
    answerJson(ctx, { error: error.code, error_description: error.message })
  }
}

async function readMetadata(ctx: Koa.Context): Promise<unknown> {
  if (!JSON_TYPE.test(ctx.get('Content-Type')))
    throw refuse('unsupported_media_type', { detail: 'use application/json' })
  return readJson(await readBody(ctx.req, BODY_BYTES))
}

/** Bytes of a document, and milliseconds to read it. */
const BOUNDS = { bytes: 16_384, timeMs: 5_000 } as const

/** Milliseconds. Documents that are not accepted are asked for again sooner. */
const KEPT_MS = { accepted: 600_000, refused: 60_000 } as const

/**
 * Milliseconds. While the host is away, the client is what it was, so that an outage does not end what people use. A
 * document that is gone or says something else counts at once.
 */
const STALE_MS = 86_400_000

/** The host does not answer, or says itself that it cannot. */
class HostAway extends Error {}

const MOST_DOCUMENTS = 500

interface Known {
  readonly metadata: ClientMetadata | undefined
  readonly readAt: number
  readonly goodAt: number
}

export function clientDocuments({
  get,
  charge,
  onRefused,
  now = () => performance.now(),
}: {
  readonly get: GetPinned
  /** Charges one read of a document. @throws rate_limited */
  readonly charge: () => Promise<void>
  /** Told why a document was not accepted. */
  readonly onRefused: (id: string, reason: string) => void
  /** Monotonic milliseconds, for tests. */
  readonly now?: () => number
}) {
  const known = lru<string, Known>(MOST_DOCUMENTS)
  const reading = underWay<string, ClientMetadata | undefined>()
  const read = async (id: string, before: Known | undefined): Promise<ClientMetadata | undefined> => {
    let isAway = false
    const fresh = await readDocument(get, id).catch((error: unknown) => {
      isAway = error instanceof HostAway
      onRefused(id, error instanceof Error ? error.message : String(error))
      return undefined
    })
    const at = now()
    const goodAt = fresh === undefined ? (before?.goodAt ?? Number.NEGATIVE_INFINITY) : at
    const metadata = fresh ?? (isAway && at - goodAt < STALE_MS ? before?.metadata : undefined)
    known.set(id, {
      metadata,
      readAt: fresh === undefined ? at - KEPT_MS.accepted + KEPT_MS.refused : at,
      goodAt,
    })
    return metadata
  }
  /** Undefined when there is no such document, or it describes no client that may be used. */
  return async (id: string): Promise<ClientMetadata | undefined> => {
    if (!isDocumentAddress(id)) return undefined
    const before = known.get(id)
    if (before !== undefined && now() - before.readAt < KEPT_MS.accepted) return before.metadata
    if (reading.known(id) === undefined) await charge()
    return reading.join(id, () => read(id, before))
  }
}

/** Only the usual spelling of an https address with a path, so that each document has one name. */
function isDocumentAddress(id: string): boolean {
  const url = URL.parse(id)
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.href === id &&
    url.pathname !== '/' &&
    url.username === '' &&
    url.password === '' &&
    !id.includes('#')
  )
}

async function readDocument(get: GetPinned, id: string): Promise<ClientMetadata> {
  const {
    status,
    contentType = '',
    body,
  } = await get(new URL(id), {
    headers: ['accept', 'application/json', 'accept-encoding', 'identity', 'user-agent', 'pharos-OAuth/1.0'],
    signal: AbortSignal.timeout(BOUNDS.timeMs),
  }).catch((cause: unknown) => {
    throw new HostAway(cause instanceof Error ? cause.message : String(cause), { cause })
  })
  if (status >= 500) throw new HostAway(`the answer has status ${status}`)
  if (status !== 200) throw new Error(`the answer has status ${status}`)
  // What people upload to a host is seldom served as JSON. So whoever may only upload cannot speak for the host.
  if (!JSON_TYPE.test(contentType)) throw new Error('the answer is not JSON by its type')
  if (body.length > BOUNDS.bytes) throw new Error(`the document has more than ${BOUNDS.bytes} bytes`)
  const document = readJson(body)
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new Error('the document is no object')
  const { client_id, client_secret } = { ...document } as Readonly<Record<string, unknown>>
  if (client_id !== id) throw new Error('client_id is not the address of the document')
  const described = describedClient(document)
  // A secret in a public document is none.
  if (client_secret !== undefined || described.authMethod !== 'none')
    throw new Error('the client would have a secret')
  return clientMetadata(id, described)
}
