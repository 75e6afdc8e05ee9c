// The OpenTimestamps calendar below `/calendar/`: takes digests into rounds, tells how the root of a round came to Bitcoin,
// and has a page for people. Answers and refusals have the form that the ordinary client reads.
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { inclusionSteps } from '../../../shared/log/tree_proofs.ts'
import { readBundleJson } from '../../../shared/proof/bundle/read_bundle.ts'
import { isHex } from '../../../shared/proof/bytes.ts'
import { bitcoinTimestampOf, type OtsFile } from '../../../shared/proof/opentimestamps/ots_file.ts'
import {
  isCalendarAddress,
  MOST_TIMESTAMP_BYTES,
  OTS_TIMESTAMP_TYPE,
  pendingAttestation,
  pendingTimestamp,
} from '../../../shared/proof/opentimestamps/pending_timestamp.ts'
import {
  NOT_EXPRESSIBLE,
  NotExpressible,
  type NotExpressibleReason,
} from '../../../shared/proof/opentimestamps/timestamp_path.ts'
import type { ChainChoice } from '../../domain/commitments/chains/configured_chains.ts'
import type { ChainStanding } from '../../domain/commitments/commitment.ts'
import type { Rounds } from '../../domain/rounds/open_rounds.ts'
import type { JsonText } from '../../kernel/json_text.ts'
import type { Log } from '../../kernel/log.ts'
import { type Problem, refuse, retryAfterSeconds } from '../../kernel/refusal.ts'
import { refuseMethod, refuseWith } from '../http/error_document.ts'
import { checkContentEncoding, readBody } from '../http/read_body.ts'
import { answerBody, moveTo, requireReading } from '../http/static_file.ts'
import { sendTextPage } from '../http/text_page.ts'
import { calendarPage } from './calendar_page.ts'
import { type DoorParts, enter, enterAsReader, tellingWait } from './enter.ts'
import type { RoundProofs } from './round_proofs.ts'

const CALENDAR_PATH = '/calendar/'

/** Of a digest. */
const MOST_BYTES = 64

/** Why the timestamp of a root cannot be told, however long somebody waits. */
type Inexpressible = Exclude<NotExpressibleReason, 'no_bitcoin_commitment'> | 'other_network'

interface CalendarSurface extends DoorParts {
  /** What blocks are committed to. */
  readonly chains: readonly ChainChoice[]
  /** Whether only this machine reaches the service. An attestation names no network, so others are told mainnet’s alone. */
  readonly isLocal: boolean
  readonly rounds: Pick<Rounds, 'place'>
  readonly proofs: Pick<RoundProofs, 'of'>
  /** How far Bitcoin is, a moment ago. Undefined before it was asked. */
  readonly standing: () => Promise<ChainStanding | undefined>
  readonly onInexpressible: (reason: Inexpressible) => void
  readonly log: Log
}

export function serveCalendar(surface: CalendarSurface): Middleware {
  const answer = async (ctx: Koa.Context): Promise<void> => {
    const path = ctx.path.slice(CALENDAR_PATH.length)
    const why = await whyClosed(surface)
    if (why === undefined && path === 'digest') return takeDigest(ctx, surface)
    await enterAsReader(ctx, surface)
    if (why !== undefined) throw refuse('no_route_found', { detail: why, meta: { door: 'calendar' } })
    // The last slash is part of the address.
    if (ctx.path.length < CALENDAR_PATH.length) return moveTo(ctx, CALENDAR_PATH)
    if (path.startsWith(TIMESTAMP)) return tellTimestamp(ctx, surface, path.slice(TIMESTAMP.length))
    if (path === '') return showPage(ctx, surface)
    throw refuse('no_route_found')
  }
  return async (ctx, next) => {
    if (!`${ctx.path}/`.startsWith(CALENDAR_PATH)) return next()
    try {
      await answer(ctx)
    } catch (error) {
      if (ctx.headerSent) throw error
      tellProblem(ctx, refuseWith(ctx, error, surface.log)[0])
    }
  }
}

const TIMESTAMP = 'timestamp/'

/**
 * A digest that is not taken is better than a receipt that no client reads, or that attests to a chain for trials.
 * @throws database_unavailable while nobody knows to which network it would go
 */
async function whyClosed(surface: CalendarSurface): Promise<string | undefined> {
  const { isOpen, chains, isLocal, base, standing } = surface
  if (!isOpen) return 'This door is closed here; PUBLIC_DOORS does not name calendar.'
  if (!chains.includes('bitcoin') && !chains.includes('embedded'))
    return 'This calendar is closed, because nothing here is committed to Bitcoin.'
  if (!chains.includes('bitcoin') && !isLocal)
    return 'This calendar is closed, because a development chain is attested on its own machine alone.'
  if (!isCalendarAddress(addressOf(base())))
    return 'This calendar is closed, because clients refuse the characters of BASE_URL in its address.'
  if (isLocal) return undefined
  const known = await standing()
  if (known === undefined) throw refuse('database_unavailable')
  if (known.network === null) return 'This calendar is closed until Bitcoin has answered for the first time.'
  return known.network === 'mainnet'
    ? undefined
    : `This calendar is closed, because it goes to ${known.network}, a Bitcoin network for trials alone.`
}

const addressOf = (base: string): string => `${base}${CALENDAR_PATH}`

async function takeDigest(ctx: Koa.Context, surface: CalendarSurface): Promise<void> {
  ctx.state.operation = 'calendar_digest'
  const { key } = await enter(ctx, surface)
  if (ctx.method !== 'POST') refuseMethod(ctx, 'POST')
  checkContentEncoding(ctx)
  const value = await readBody(ctx.req, MOST_BYTES)
  await surface.admission.piece(key)
  if (value.length === 0) throw refuse('invalid_body', { detail: `a digest has 1 to ${MOST_BYTES} bytes` })
  const entries: readonly TreeEntry[] = [{ type: 'ots', value }]
  const [place] = await surface.drain.run(() => surface.rounds.place(entries, key))
  const steps = place && inclusionSteps({ ...place, proof: place.path })
  if (steps === undefined) throw new Error('A digest has no place in its round.')
  sendTimestamp(ctx, pendingTimestamp(steps, pendingAttestation(addressOf(surface.base()))))
}

async function tellTimestamp(ctx: Koa.Context, surface: CalendarSurface, root: string): Promise<void> {
  ctx.state.operation = 'calendar_timestamp'
  requireReading(ctx)
  if (!isHex(root, 32)) throw refuse('not_found', { detail: 'no round has this root' })
  const { bundle } = await tellingWait(ctx, surface, (address) => surface.proofs.of(root, address))
  const bytes = calendarTimestamp(bundle, surface)
  // A reorganisation of Bitcoin may still change it.
  sendTimestamp(ctx, bytes, 'public, max-age=300')
}

/**
 * The client puts these operations behind its own. Of the 255 that it reads again, the longest path in a round takes 50,
 * and 40 are left for the tree in which it gathers what it stamps at once.
 */
const MOST_OPERATIONS = 255 - 50 - 40

/**
 * @param bundle of the round's item, which has passed its verification
 * @throws not_found while it is not on Bitcoin, and for what clients would not read
 */
export function calendarTimestamp(
  bundle: JsonText,
  { isLocal, onInexpressible }: Pick<CalendarSurface, 'isLocal' | 'onInexpressible'>,
): Uint8Array {
  const found = readTimestamp(bundle)
  if (typeof found !== 'string' && (found.network === 'mainnet' || isLocal)) return found.bytes
  const reason = typeof found === 'string' ? found : 'other_network'
  if (reason !== 'no_bitcoin_commitment') onInexpressible(reason)
  throw refuse('not_found', { detail: WORDS[reason], meta: { reason } })
}

const WORDS = {
  ...NOT_EXPRESSIBLE,
  no_bitcoin_commitment: 'it is not on Bitcoin yet',
  other_network: 'it is on a chain for trials alone, which proves nothing',
} as const

function readTimestamp(bundle: JsonText): OtsFile | NotExpressibleReason {
  try {
    const timestamp = bitcoinTimestampOf(readBundleJson(bundle.text))
    if (timestamp.operations > MOST_OPERATIONS) return 'too_deep'
    return timestamp.bytes.length > MOST_TIMESTAMP_BYTES ? 'too_long' : timestamp
  } catch (error) {
    if (error instanceof NotExpressible) return error.reason
    throw error
  }
}

async function showPage(ctx: Koa.Context, { base, standing, drain }: CalendarSurface): Promise<void> {
  ctx.state.operation = 'calendar_page'
  requireReading(ctx)
  await sendTextPage(ctx, calendarPage({ address: addressOf(base()), standing: await drain.run(standing) }))
}

const sendTimestamp = (ctx: Koa.Context, bytes: Uint8Array, caching?: string): void =>
  answerBody(ctx, OTS_TIMESTAMP_TYPE, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), caching)

/** Clients print so many bytes of it, and no other characters. */
const MOST_TOLD = 160
const UNTOLD = /[^A-Za-z0-9#\-.,; ]/g

/** The timestamp that is not there yet may be there in a minute. */
function tellProblem(ctx: Koa.Context, problem: Problem | undefined): void {
  const words = problem === undefined ? '' : `${problem.detail}${waitIn(problem)}`
  const mayCome = ctx.status === 404 && ctx.path.startsWith(`${CALENDAR_PATH}${TIMESTAMP}`)
  const told = words.replace(UNTOLD, ' ').slice(0, MOST_TOLD)
  answerBody(ctx, 'text/plain; charset=utf-8', told, mayCome ? 'public, max-age=60' : undefined)
}

function waitIn(problem: Problem): string {
  const seconds = problem.code === 'not_found' ? retryAfterSeconds(problem) : undefined
  if (seconds === undefined) return ''
  return seconds < 120 ? `; ask again in ${seconds} s` : `; ask again in ${Math.ceil(seconds / 60)} min`
}
