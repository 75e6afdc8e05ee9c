// Stamps digests without an account: `POST /stamp` answers receipts, and `GET /stamp/<root>` what upgrades them once
// their round is committed to a public chain.
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { type EvidenceItem, receiptOf, shownItem } from '../../../shared/evidence/evidence.ts'
import { toBase64 } from '../../../shared/proof/bytes.ts'
import { requireCharge } from '../../admission/door.ts'
import type { SubmittedItem } from '../../domain/ledger/submit_items.ts'
import { storedObject } from '../../domain/proofs/find_subject.ts'
import type { PlacedEntry } from '../../domain/rounds/gathering_round.ts'
import type { Rounds } from '../../domain/rounds/open_rounds.ts'
import { mapInPieces } from '../../kernel/flow/in_pieces.ts'
import { JsonText, objectText } from '../../kernel/json_text.ts'
import { kept } from '../../kernel/lru.ts'
import { refuse } from '../../kernel/refusal.ts'
import { refuseMethod } from '../http/error_document.ts'
import { answerBody, requireReading } from '../http/static_file.ts'
import { type DoorParts, enter, enterAsReader, refuseClosed, tellingWait } from './enter.ts'
import type { RoundProofs } from './round_proofs.ts'
import { readStampBody, stampEntries } from './stamp_request.ts'

interface StampSurface extends DoorParts {
  readonly rounds: Pick<Rounds, 'place'>
  readonly proofs: RoundProofs
  readonly ceilings: { readonly problems: number }
}

const STAMP_PATH = '/stamp'

/**
 * Bytes of a body with some thirty digests. Their receipts may make an answer of more than 64 KiB: each carries the item, and a
 * path of up to 16 hashes.
 */
const LARGE_BYTES = 2_048

/** Digests of a request that cost one more unit. */
const DIGESTS_A_UNIT = 16

/** Part of each answer, because nothing else tells it to who has no account. */
const NOTE =
  'What is stamped here belongs to nobody: no list has it, no webhook tells of it, and nobody can redact it. Keep the evidence; there is no other copy. Whoever holds a receipt learns the hashes beside it, not the data: a salt keeps short data from being guessed. One operator runs all of this; public chains and the witnesses of its log bound what he can do afterwards, not what he accepts.'

export function serveStamp(surface: StampSurface): Middleware {
  return async (ctx, next) => {
    const { path } = ctx
    if (path !== STAMP_PATH && !path.startsWith(`${STAMP_PATH}/`)) return next()
    if (!surface.isOpen) return refuseClosed(ctx, 'stamp', surface)
    if (path === STAMP_PATH) return stamp(ctx, surface)
    return prove(ctx, surface, path.slice(STAMP_PATH.length + 1))
  }
}

async function stamp(ctx: Koa.Context, surface: StampSurface): Promise<void> {
  ctx.state.operation = 'stamp'
  const { caller, key, limit } = await enter(ctx, surface)
  if (ctx.method !== 'POST') refuseMethod(ctx, 'POST')
  const body = await readStampBody(ctx)
  // Also before a turn, which is refused at once to who waits for many.
  await surface.admission.piece(key)
  const turn = body.length > LARGE_BYTES ? await surface.admission.turn(ctx.res, key) : undefined
  const entries = stampEntries(body, surface.ceilings.problems)
  // Whatever is heavier than the whole budget costs the whole budget, of which one unit was charged.
  const more = Math.min(Math.floor(entries.length / DIGESTS_A_UNIT), limit - 1)
  if (more > 0) requireCharge(ctx, await surface.door.charge(ctx, caller, key, more))
  turn?.giveUp()
  const placed = await surface.drain.run(() => surface.rounds.place(entries, key))
  await turn?.takeAgain()
  const receipt = receiptFor(entries, surface.base())
  const receipts = await mapInPieces([...placed.entries()], receipt, surface.admission.yieldingFor(key))
  const evidence = new JsonText(`[${receipts.join(',')}]`)
  answerBody(ctx, 'application/json', objectText({ evidence, note: NOTE }))
}

/** Makes the receipt of an entry from its place. */
const receiptFor =
  (entries: readonly TreeEntry[], service: string) =>
  ([at, { size, index, path, item: submitted }]: readonly [number, PlacedEntry]): string => {
    const digest = entries[at]
    if (digest === undefined) throw new Error('A place has no entry.')
    const { item, text } = kept(SHOWN, submitted, () => shown(submitted, service))
    return objectText({
      ...receiptOf({ digest, trees: [{ size, index, salt: digest.salt, path }], item }),
      item: text,
    })
  }

/** Items of rounds. Thousands of callers may get one. */
const SHOWN = new WeakMap<SubmittedItem, ReturnType<typeof shown>>()

/** As evidence carries it. It is read and written once, because that costs more than all else of a receipt. */
function shown(submitted: SubmittedItem, service: string) {
  const item: EvidenceItem = {
    service,
    id: submitted.id,
    claims: storedObject(submitted.draft.claims),
    metadata: storedObject(submitted.metadata),
    signingKeyId: submitted.signingKeyId,
    signature: toBase64(submitted.signature),
  }
  return { item, text: new JsonText(JSON.stringify(shownItem(item))) }
}

const ROOT = /^[0-9a-f]{64}$/

/** Seconds that caches keep a proof: while another chain or the log's proof is still to come, and from then on. */
const KEPT = { while: 300, whole: 86_400 } as const

async function prove(ctx: Koa.Context, surface: StampSurface, root: string): Promise<void> {
  ctx.state.operation = 'stamp_proof'
  await enterAsReader(ctx, surface)
  requireReading(ctx)
  if (!ROOT.test(root)) throw refuse('not_found', { detail: 'a round is named by 64 lowercase hex' })
  const { text, isWhole } = await tellingWait(ctx, surface, (address) => surface.proofs.of(root, address))
  answerBody(ctx, 'application/json', text, `public, max-age=${isWhole ? KEPT.whole : KEPT.while}`)
}
