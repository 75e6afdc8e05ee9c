// Registration of clients by themselves (RFC 7591).

import type { EntityManager } from '@mikro-orm/postgresql'
import type Koa from 'koa'
import type { ClientAddress } from '../../admission/client_address.ts'
import { admitClient } from '../../domain/oauth/admit_client.ts'
import { newClientSecret } from '../../domain/oauth/client.ts'
import { describedClient, InvalidClientMetadata } from '../../domain/oauth/described_client.ts'
import { addressKey, networkKey } from '../../kernel/address_key.ts'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { checkDeclaredLength, JSON_TYPE, readBody, readJson } from '../http/read_body.ts'
import { clientMetadata } from './client_metadata.ts'
import { LIFETIMES } from './lifetimes.ts'
import type { Recorder } from './record_events.ts'
import { answerJson } from './serve_routes.ts'

interface RegistrationParts {
  readonly em: (purpose: 'read' | 'write') => EntityManager
  readonly clientAddress: ClientAddress
  readonly recorder: Recorder
}

const BODY_BYTES = 65_536

/** Answers 201 with what was understood. @throws a refusal of the body itself */
export async function registerClient(
  ctx: Koa.Context,
  { em, clientAddress, recorder }: RegistrationParts,
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
