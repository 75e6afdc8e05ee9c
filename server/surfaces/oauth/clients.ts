// Clients in the form that the library knows them in: our own console, those with a document, those that are registered,
// and those that register themselves (RFC 7591).
import type { EntityManager } from '@mikro-orm/postgresql'
import type Koa from 'koa'
import type { ClientAddress } from '../../admission/client_address.ts'
import { FIRST_PARTY_CLIENT, FIRST_PARTY_NAME } from '../../domain/accounts/scope.ts'
import { type AuthMethod, admitClient, findClient, newClientSecret } from '../../domain/oauth/client.ts'
import {
  type DescribedClient,
  describedClient,
  InvalidClientMetadata,
} from '../../domain/oauth/described_client.ts'
import { addressKey, networkKey } from '../../kernel/addresses.ts'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { checkDeclaredLength, JSON_TYPE, readBody, readJson } from '../http/read_body.ts'
import { LIFETIMES } from './lifetimes.ts'
import type { Recorder } from './record_events.ts'
import { answerJson } from './serve_routes.ts'

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

export const clientMetadata = (
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
  {
    em,
    clientAddress,
    recorder,
  }: {
    readonly em: (purpose: 'read' | 'write') => EntityManager
    readonly clientAddress: ClientAddress
    readonly recorder: Recorder
  },
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
    const {
      application_type: _,
      client_secret: __,
      client_secret_expires_at: ___,
      ...shown
    } = clientMetadata(id, described)
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
    ctx.state.answered = { ...ctx.state.answered, codes: [error.code] }
    answerJson(ctx, { error: error.code, error_description: error.message })
  }
}

async function readMetadata(ctx: Koa.Context): Promise<unknown> {
  if (!JSON_TYPE.test(ctx.get('Content-Type')))
    throw refuse('unsupported_media_type', { detail: 'use application/json' })
  checkDeclaredLength(ctx.req, BODY_BYTES)
  return readJson(await readBody(ctx.req, BODY_BYTES))
}
