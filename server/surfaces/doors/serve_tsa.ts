// The time-stamp authority at `/tsa` (RFC 3161 section 3.4): takes requests, and shows its page, its certificates and the
// evidence of tokens.
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { EVIDENCE_TYPE } from '../../../shared/evidence/evidence.ts'
import type { Authority } from '../../domain/time_stamps/authority.ts'
import { REQUEST_CEILINGS } from '../../domain/time_stamps/time_stamp_request.ts'
import { refuse } from '../../kernel/refusal.ts'
import { refuseMethod } from '../http/error_document.ts'
import type { Drain } from '../http/house.ts'
import { checkContentEncoding, checkDeclaredLength, readBody } from '../http/read_body.ts'
import { heldFile, requireReading, sendStatic } from '../http/static_file.ts'
import { TEXT_PAGE_HEADERS } from '../http/text_page.ts'
import { type DoorParts, enter, enterAsReader, refuseClosed, tellingWait } from './enter.ts'
import type { TokenEvidences } from './token_evidence.ts'
import { tsaPage } from './tsa_page.ts'

interface TsaSurface extends DoorParts {
  readonly isOpen: boolean
  readonly authority: Pick<Authority, 'answer' | 'certificate'>
  /** As people write it. */
  readonly policy: string
  /** Chains of all that ever signed, the leaf first in each. */
  readonly allCertificates: () => Promise<readonly (readonly Buffer[])[]>
  readonly evidence: TokenEvidences
  readonly drain: Pick<Drain, 'run'>
}

export const TSA_PATH = '/tsa'

const QUERY_TYPE = 'application/timestamp-query'
const REPLY_TYPE = 'application/timestamp-reply'

export function serveTsa(surface: TsaSurface): Middleware {
  return async (ctx, next) => {
    const { path } = ctx
    if (path !== TSA_PATH && !path.startsWith(`${TSA_PATH}/`)) return next()
    if (!surface.isOpen) return refuseClosed(ctx, 'tsa', surface.chargeAddress)
    if (path === TSA_PATH && ctx.method === 'POST') return stamp(ctx, surface)
    await enterAsReader(ctx, surface)
    if (path === TSA_PATH) return showPage(ctx, surface)
    if (path === `${TSA_PATH}/certificates`) return showCertificates(ctx, surface)
    if (path.startsWith(EVIDENCE)) return showEvidence(ctx, surface, path.slice(EVIDENCE.length))
    throw refuse('no_route_found')
  }
}

const EVIDENCE = `${TSA_PATH}/evidence/`

async function stamp(ctx: Koa.Context, surface: TsaSurface): Promise<void> {
  ctx.state.operation = 'time_stamp'
  const { key } = await enter(ctx, surface)
  checkContentEncoding(ctx)
  if (ctx.is(QUERY_TYPE) !== QUERY_TYPE)
    throw refuse('unsupported_media_type', { detail: `use ${QUERY_TYPE}` })
  checkDeclaredLength(ctx.req, REQUEST_CEILINGS.bytes)
  const body = await readBody(ctx.req, REQUEST_CEILINGS.bytes)
  await surface.admission.piece(key)
  const reply = await surface.drain.run(() => surface.authority.answer(body, key))
  ctx.set('Cache-Control', 'no-store')
  // Past Koa's `type`, because some clients compare the whole field.
  ctx.set('Content-Type', REPLY_TYPE)
  ctx.body = Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength)
}

async function showPage(ctx: Koa.Context, { base, policy }: TsaSurface): Promise<void> {
  ctx.state.operation = 'time_stamp_page'
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') refuseMethod(ctx, 'GET, HEAD, POST')
  const { markup } = tsaPage({ address: `${base()}${TSA_PATH}`, policy })
  ctx.set(TEXT_PAGE_HEADERS)
  await sendStatic(ctx, heldFile('text/html; charset=utf-8', Buffer.from(markup), 'answer'))
}

async function showCertificates(ctx: Koa.Context, surface: TsaSurface): Promise<void> {
  ctx.state.operation = 'time_stamp_certificates'
  requireReading(ctx)
  const certificates = await surface.drain.run(async () =>
    'all' in ctx.query
      ? (await surface.allCertificates()).flatMap(([leaf]) => leaf ?? [])
      : (await surface.authority.certificate()).chain,
  )
  await sendStatic(
    ctx,
    heldFile('application/x-pem-file', Buffer.from(certificates.map(pem).join('')), 'answer'),
  )
}

const pem = (certificate: Buffer): string =>
  [
    '-----BEGIN CERTIFICATE-----',
    ...(certificate.toString('base64').match(/.{1,64}/g) ?? []),
    '-----END CERTIFICATE-----\n',
  ].join('\n')

/** How long caches keep evidence: while another chain or the log's proof is still to come, and from then on. */
const KEPT = { proof: 'public, max-age=300', whole: 'public, max-age=86400', receipt: 'no-store' } as const

async function showEvidence(ctx: Koa.Context, surface: TsaSurface, serial: string): Promise<void> {
  ctx.state.operation = 'time_stamp_evidence'
  requireReading(ctx)
  const address = surface.door.addressOf(ctx)
  const { text, state } = await surface.drain.run(() =>
    tellingWait(ctx, surface, surface.evidence.of(serial, address)),
  )
  ctx.set('Content-Type', EVIDENCE_TYPE)
  ctx.set('Cache-Control', KEPT[state])
  ctx.body = text
}
