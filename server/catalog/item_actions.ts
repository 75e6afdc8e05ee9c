// Submits many items in one request.
import { z } from 'zod'
import { isJsonObject, type JsonValue } from '../../shared/proof/json_value.ts'
import { attribute, isWhole, readAttributes } from '../contract/attribute.ts'
import { errorObject } from '../contract/error_object.ts'
import type { JsonSchema } from '../contract/kind.ts'
import { listOf, ulid } from '../contract/kinds.ts'
import { resultOf, textResult } from '../contract/operation.ts'
import { requireSubmitter } from '../domain/accounts/tenant.ts'
import { CLAIMS_EXAMPLE, submittedClaims } from '../domain/ledger/claims.ts'
import { expiryJudge, type ItemDraft } from '../domain/ledger/item.ts'
import { submissionUnits } from '../domain/ledger/submit_items.ts'
import type { SubmitResult } from '../domain/ledger/submitter.ts'
import { CEILINGS } from '../kernel/ceilings.ts'
import { collectProblems, type Problems } from '../kernel/problems.ts'
import { type Problem, problem, Refusal } from '../kernel/refusal.ts'
import { errorId } from '../kernel/request_scope.ts'
import type { Context } from './context.ts'
import { action } from './define.ts'
import { checkSubmission, draftFor, expiryOf, type PassedSubmission, submission } from './item_writes.ts'

const MAX_BATCH = 250

/** Error objects as in error documents. Their pointers refer to the request. */
const ERRORS: JsonSchema = {
  type: 'array',
  minItems: 1,
  maxItems: CEILINGS.problems.byDefault,
  items: resultOf(
    {
      id: { type: 'string', format: 'uuid', description: 'Of the first one also in the service’s log.' },
      status: textResult('The status that a create would have had.'),
      code: textResult('As in error documents.'),
      title: textResult('The code in another spelling.'),
      detail: textResult('For people; may be reworded.'),
      'source?': resultOf({ pointer: textResult('Into the request, e.g. `/data/items/3/claims/name`.') }),
      meta: { type: 'object', maxProperties: 16, description: 'Values it depends on, such as a maximum.' },
    },
    'ItemProblem',
  ),
}

/** Each entry is judged separately, so that an invalid entry does not fail the others. */
const ENTRY = z.custom<JsonValue>().meta({ type: 'object', maxProperties: Object.keys(submission).length })

export const itemActions = [
  action({
    name: 'createItems',
    doc: `Submits up to ${MAX_BATCH} items in one transaction; weighs a unit of work per started 25 items or 64 KiB of claims. Each is answered in its place: its id, or its errors.`,
    access: 'write',
    http: 'POST /items/batch',
    graphqlShape: 'mutation',
    accepts: {
      items: attribute(
        listOf(ENTRY, MAX_BATCH),
        'Objects with `claims`, and `visibility`, `tags`, `expires_at` as on create.',
        { required: true, entriesOf: 'createItem' },
      ),
    },
    idempotent: true,
    weigh: (unjudged) => weighBatch(unjudged('items')),
    run: createItems,
    result: resultOf({
      items: {
        type: 'array',
        description: 'One entry per item, in the order of the request.',
        maxItems: MAX_BATCH,
        items: {
          anyOf: [
            resultOf({ id: ulid().schema }, 'CreatedItem'),
            resultOf({ errors: ERRORS }, 'RefusedItem'),
          ],
        },
      },
    }),
    example: {
      data: {
        items: [
          {
            claims: CLAIMS_EXAMPLE,
            tags: ['invoices'],
          },
        ],
      },
      result: { items: [{ id: '01MB78W7FGY7TZHKNWE7WA3Z57' }] },
    },
  }),
]

/** Invalid entries count too: each takes a place in the batch and gets an answer. */
function weighBatch(items: unknown): number {
  const submitted: readonly unknown[] = Array.isArray(items) ? items.slice(0, MAX_BATCH) : []
  const bytes = submitted.reduce<number>((sum, one) => sum + bytesOf(one), 0)
  return submissionUnits(submitted.length, bytes)
}

function bytesOf(given: unknown): number {
  if (typeof given !== 'object' || given === null) return 0
  const claims: JsonValue | undefined = Reflect.get(given, 'claims')
  return isJsonObject(claims) ? submittedClaims(claims).bytes() : 0
}

async function createItems(context: Context, { items }: { readonly items: readonly JsonValue[] }) {
  requireSubmitter(await context.tenant())
  const judged = await judgeAll(context, items)
  const drafts = judged.flatMap((one) => ('draft' in one ? [one.draft] : []))
  const once = context.once === undefined ? undefined : { userId: context.caller.userId, ...context.once }
  const outcomes = (await context.services.submitItems(context.caller, drafts, once)).values()
  const results: SubmitResult[] = judged.map((one) =>
    'draft' in one ? (outcomes.next().value ?? { problems: [] }) : one,
  )
  return {
    items: results.map((result, index) =>
      'id' in result
        ? { id: result.id }
        : {
            errors: result.problems.map((one) =>
              errorObject({ ...one, id: errorId() }, `/data/items/${index}`),
            ),
          },
    ),
  }
}

type Judged = { readonly draft: ItemDraft } | { readonly problems: readonly Problem[] }

/**
 * Judges each entry separately. One request reports at most `problems` problems; after that, an
 * entry reports only its first.
 */
async function judgeAll(context: Context, items: readonly JsonValue[]): Promise<Judged[]> {
  const judged: Judged[] = []
  let left: number = context.services.ceilings.problems
  // The clock is read from the database at most once, and only when some entry is refused anyway.
  let judgeExpiry: Awaited<ReturnType<typeof expiryJudge>> | undefined
  for (const given of items) {
    const pause = context.yieldToEventLoop()
    if (pause !== undefined) await pause
    const problems = collectProblems(Math.max(1, left))
    try {
      const attributes = readEntry(given, problems)
      if (problems.all().length > 0) {
        const expiry = expiryOf(attributes)
        judgeExpiry ??= expiry ? await expiryJudge(() => context.em, [expiry]) : undefined
        problems.noteAll(judgeExpiry?.(expiry) ?? [])
      }
      problems.refuse()
      if (!isWhole(submission, attributes)) throw new Error('An item was let through without its claims.')
      judged.push({ draft: await draftFor(context, attributes) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      left -= error.problems.length
      judged.push({ problems: error.problems })
    }
  }
  return judged
}

function readEntry(given: JsonValue, problems: Problems): PassedSubmission {
  if (!isJsonObject(given)) {
    problems.note(problem('invalid_argument', { path: [], detail: 'must be an object' }))
    return {}
  }
  const attributes = readAttributes(given, submission, problems)
  problems.noteAll(checkSubmission(attributes))
  return attributes
}
