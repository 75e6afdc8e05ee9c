// The time-stamp authority at `/tsa` (RFC 3161 section 3.4): takes requests, and shows its page, its certificates and the
// evidence of tokens.
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { EVIDENCE_TYPE } from '../../../shared/evidence/evidence.ts'
import type { Authority } from '../../domain/time_stamps/authority.ts'
import { REQUEST_CEILINGS } from '../../domain/time_stamps/time_stamp_request.ts'
import { refuse } from '../../kernel/refusal.ts'
import { refuseMethod } from '../http/error_document.ts'
import { type Html, html } from '../http/html.ts'
import { checkContentEncoding, readBody } from '../http/read_body.ts'
import { answerBody, heldFile, requireReading, sendStatic } from '../http/static_file.ts'
import { sendTextPage, textPage } from '../http/text_page.ts'
import { type DoorParts, enter, enterAsReader, refuseClosed, tellingWait } from './enter.ts'
import type { TokenEvidences } from './token_evidence.ts'

interface TsaSurface extends DoorParts {
  readonly authority: Pick<Authority, 'answer' | 'certificate'>
  /** As people write it. */
  readonly policy: string
  /** Chains of all that ever signed, the leaf first in each. */
  readonly allCertificates: () => Promise<readonly (readonly Buffer[])[]>
  readonly evidence: TokenEvidences
}

const TSA_PATH = '/tsa'

const QUERY_TYPE = 'application/timestamp-query'
const REPLY_TYPE = 'application/timestamp-reply'

export function serveTsa(surface: TsaSurface): Middleware {
  return async (ctx, next) => {
    const { path } = ctx
    if (path !== TSA_PATH && !path.startsWith(`${TSA_PATH}/`)) return next()
    if (!surface.isOpen) return refuseClosed(ctx, 'tsa', surface)
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
  const body = await readBody(ctx.req, REQUEST_CEILINGS.bytes)
  await surface.admission.piece(key)
  const reply = await surface.drain.run(() => surface.authority.answer(body, key))
  // Some clients compare the whole type.
  answerBody(ctx, REPLY_TYPE, Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength))
}

async function showPage(ctx: Koa.Context, { base, policy }: TsaSurface): Promise<void> {
  ctx.state.operation = 'time_stamp_page'
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') refuseMethod(ctx, 'GET, HEAD, POST')
  await sendTextPage(ctx, pageOf(`${base()}${TSA_PATH}`, policy))
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
  const { text, state } = await tellingWait(ctx, surface, (address) => surface.evidence.of(serial, address))
  answerBody(ctx, EVIDENCE_TYPE, text, KEPT[state])
}

/**
 * What a token is worth, and the lines to type for the tools that people have.
 * @param address of the authority
 * @param policy the object identifier that its tokens name
 */
const pageOf = (address: string, policy: string): Html =>
  textPage({
    title: 'Time-stamp authority',
    description: 'Time stamps by RFC 3161, for the tools that you have.',
    canonical: address,
    main: html`<article>
<header class="head">
<p class="kind">For programs you have already</p>
<h1>Time-stamp authority</h1>
</header>
<div class="prose">
<p>Tools that speak RFC 3161 get their time stamps at <code>${address}</code>. They send a hash, never the file, and need no
account. Policy: <code>${policy}</code>.</p>
<h2>Lines to type</h2>
<p>The certificates, once. Compare the fingerprint of the last one with what the operator tells you by another way: that is
what you trust from then on.</p>
<pre tabindex="0"><code>curl -so tsa.pem ${address}/certificates
awk '/BEGIN/{c=""} {c=c $0 "\\n"} END{printf "%s", c}' tsa.pem &gt; tsa-root.pem
openssl x509 -in tsa-root.pem -noout -fingerprint -sha256</code></pre>
<p>A file, with OpenSSL:</p>
<pre tabindex="0"><code>openssl ts -query -data FILE -sha256 -cert -out FILE.tsq
curl -s -H 'Content-Type: application/timestamp-query' \\
  --data-binary @FILE.tsq -o FILE.tsr ${address}
openssl ts -verify -queryfile FILE.tsq -in FILE.tsr -CAfile tsa-root.pem
openssl ts -reply -in FILE.tsr -text</code></pre>
<p>A Java archive, and a program for Windows:</p>
<pre tabindex="0"><code>jarsigner -tsa ${address} -keystore KEYSTORE ARCHIVE.jar ALIAS
osslsigncode sign -certs CERTIFICATE.pem -key KEY.pem \\
  -ts ${address} -in PROGRAM.exe -out SIGNED.exe</code></pre>
<h2>What outlives the certificate</h2>
<p>A token stands in a block of this service’s ledger, under the serial number that it says. Its evidence proves that,
offline, also when the certificate has ended or its key has leaked. Keep it beside the token, once the block is committed to
a public chain:</p>
<pre tabindex="0"><code>openssl ts -reply -in FILE.tsr -text | sed -n 's/^Serial number: 0x//p'
curl -so FILE.tsr.pharos ${address}/evidence/SERIAL</code></pre>
<p>Serial numbers can be counted, so anybody can see how many tokens there are and when they were made. They show hashes of
tokens, and nothing of what was stamped.</p>
<h2>What it is worth</h2>
<p>This is not a qualified service, and no authority supervises it. A token says that the hash was here at its time, to a
second. Until its block is committed it is as good as its certificate and the word of the operator. From then on nobody can
make one with an earlier time, the operator included: witnesses and public chains bound what he can do afterwards, not what
he accepts.</p>
</div>
</article>`,
  })
