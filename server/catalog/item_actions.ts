// Many items at once.
import { isJsonObject, type JsonValue } from '../../shared/proof/json_value.ts'
import { type JsonSchema, list, ulid } from '../contract/kind.ts'
import { attribute } from '../contract/operation.ts'
import { readAttributes } from '../contract/read_attributes.ts'
import { requireSubmitter } from '../domain/accounts/tenant.ts'
import { canonicalClaims } from '../domain/ledger/item_draft.ts'
import { submissionUnits } from '../domain/ledger/submission_units.ts'
import type { SubmitResult } from '../domain/ledger/submit_once.ts'
import { resultOf, textMember } from '../domain/utilities/action.ts'
import { type Problem, problem, Refusal } from '../kernel/refusal.ts'
import type { Context } from './context.ts'
import { action } from './define.ts'
import { item } from './item.ts'
import { checkSubmission, draftFor } from './item_writes.ts'

const MAX_BATCH = 250

const accepted = () => {
  const create = item.operations.find((operation) => operation.kind === 'create')
  if (create?.kind !== 'create') throw new Error('Items are not created any more.')
  return create.accepts
}

const ERRORS: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: resultOf(
    {
      code: textMember('As in error documents.'),
      detail: textMember('For people; may be reworded.'),
      path: {
        type: 'array',
        items: { type: 'string' },
        description: 'Member names, from the item inwards.',
      },
      meta: { type: 'object' },
    },
    'ItemProblem',
  ),
}

export const itemActions = [
  action({
    name: 'createItems',
    doc: `Submits up to ${MAX_BATCH} items in one transaction and one charge. Each is answered in its place: its id, or its errors.`,
    access: 'write',
    http: 'POST /items/batch',
    graphql: 'createItems',
    graphqlShape: 'mutation',
    accepts: {
      items: attribute(
        list({ type: 'object' }, MAX_BATCH),
        'Objects with `claims`, and `visibility`, `tags`, `expires_at` as on create.',
        { required: true, entriesOf: 'createItem' },
      ),
    },
    idempotent: true,
    weigh: ({ items }) => weighBatch(items),
    run: createItems,
    result: resultOf({
      items: {
        type: 'array',
        description: 'One entry per item, in the order of the request.',
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
            claims: {
              name: 'contract.pdf',
              hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
              hash_type: 'sha256',
            },
            tags: ['invoices'],
          },
        ],
      },
      result: { items: [{ id: '01MB78W7FGY7TZHKNWE7WA3Z57' }] },
    },
  }),
]

/** What is no submission is refused in its place, and still takes it. */
function weighBatch(items: unknown): number {
  const submitted: readonly unknown[] = Array.isArray(items) ? items.slice(0, MAX_BATCH) : []
  const bytes = submitted.reduce<number>((sum, one) => sum + bytesOf(one), 0)
  return submissionUnits(submitted.length, bytes)
}

function bytesOf(given: unknown): number {
  if (typeof given !== 'object' || given === null) return 0
  const claims: JsonValue | undefined = Reflect.get(given, 'claims')
  return isJsonObject(claims) ? canonicalClaims(claims).bytes : 0
}

async function createItems(context: Context, { items }: Readonly<Record<string, unknown>>): Promise<object> {
  requireSubmitter(await context.tenant())
  const judged = await Promise.all((items as JsonValue[]).map((given) => judge(context, given)))
  const drafts = judged.flatMap((one) => ('draft' in one ? [one.draft] : []))
  const once = context.once === undefined ? undefined : { userId: context.caller.userId, ...context.once }
  const outcomes = [...(await context.services.submitItems(context.caller, drafts, once))]
  const results: SubmitResult[] = judged.map((one) =>
    'draft' in one ? (outcomes.shift() ?? { problems: [] }) : one,
  )
  return {
    items: results.map((result) =>
      'id' in result
        ? { id: result.id }
        : {
            errors: result.problems.map(({ code, detail, path, meta }) => ({
              code,
              detail,
              path: path ?? [],
              meta: meta ?? {},
            })),
          },
    ),
  }
}

async function judge(context: Context, given: JsonValue) {
  const problems: Problem[] = []
  if (!isJsonObject(given))
    return { problems: [problem('invalid_argument', { detail: 'must be an object' })] }
  const attributes = readAttributes(given, accepted(), problems)
  problems.push(...checkSubmission(attributes))
  if (problems.length > 0) return { problems }
  try {
    return { draft: await draftFor(context, attributes) }
  } catch (error) {
    if (error instanceof Refusal) return { problems: error.problems }
    throw error
  }
}
