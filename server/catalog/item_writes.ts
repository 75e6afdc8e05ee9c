// The attributes of an item that a client may set, and the calls of the ledger that they become, for submitting and
// changing items.
import { TELLING } from '../../shared/proof/claims.ts'
import { attribute, type Given, type Passed } from '../contract/attribute.ts'
import { boolean, enumeration, instant, textList, uuid7 } from '../contract/kinds.ts'
import { requireSubmitter } from '../domain/accounts/tenant.ts'
import { checkItemChange, deleteItem, updateItem } from '../domain/ledger/change_item.ts'
import { claims } from '../domain/ledger/claims.ts'
import {
  draftItem,
  expiryJudge,
  type Item,
  type ItemDraft,
  itemById,
  TAGS,
  VISIBILITIES,
} from '../domain/ledger/item.ts'
import type { SubmittedItem } from '../domain/ledger/submit_items.ts'
import { present } from '../kernel/present.ts'
import { found, type Problem, problem, Refusal } from '../kernel/refusal.ts'
import type { LegibleRow } from '../store/row_reader.ts'
import type { Context } from './context.ts'

const tags = textList(TAGS)

/** The expiry that examples show. */
export const FAR_OFF = '2099-12-31T23:59:59.000Z'

export const submission = {
  claims: attribute(
    claims(),
    `What is claimed: a \`name\`, and a \`hash\` with its \`hash_type\`, or else a \`description\` of at least ${TELLING} characters, or \`metadata\`.`,
    { required: true },
  ),
  visibility: attribute(enumeration(VISIBILITIES), '`private` unless said otherwise.'),
  tags: attribute(tags, 'Labels.'),
  expires_at: attribute(instant(), 'When the service is to erase the claims.', { example: FAR_OFF }),
} as const

export const itemChange = {
  visibility: attribute(enumeration(VISIBILITIES), 'Who may read it.'),
  tags: attribute(tags, 'Replaces the labels.'),
  team_id: attribute(uuid7(), 'Moves it to a team where the caller may write.', { leftOutOfExample: true }),
  expires_at: attribute(instant(), 'When the service is to erase the claims; null for never.', {
    nullable: true,
    example: FAR_OFF,
  }),
  redacted: attribute(boolean(), '`true` erases the claims, `false` restores them and needs `claims`.', {
    leftOutOfExample: true,
  }),
  claims: attribute(claims(), 'Only with `redacted: false`: must hash to the recorded claims_hash.', {
    leftOutOfExample: true,
  }),
} as const

type Submission = Given<typeof submission>
export type PassedSubmission = Passed<typeof submission>
type Change = Given<typeof itemChange>
type PassedChange = Passed<typeof itemChange>

/** The values that `show` reads. A row of a list, a stored row and a newly submitted item have them. */
export type ShownItem = LegibleRow<
  Omit<Item, 'height' | 'leafIndex' | 'claimsHash' | 'metadataHash' | 'itemHash'> & {
    readonly claimsHash: Uint8Array
    readonly metadataHash: Uint8Array
    readonly itemHash: Uint8Array
  }
>

/** Returns the problems that depend on the claims' content. */
export const checkSubmission = ({ claims }: PassedSubmission): Iterable<Problem> => claims?.problems() ?? []

/** Converts an expiry for the domain: a Date, null for "never", or undefined when none was sent. */
export const expiryOf = ({ expires_at }: Pick<PassedChange, 'expires_at'>): Date | null | undefined =>
  typeof expires_at === 'string' ? new Date(expires_at) : expires_at

/** Returns the problems that recording this item would have: its expiry is compared with the database's clock. */
export const wouldRefuseItem = async (attributes: PassedSubmission, { em }: Context): Promise<Problem[]> => {
  const expiresAt = expiryOf(attributes)
  return (await expiryJudge(() => em, [expiresAt]))(expiresAt)
}

/** Returns the problems that this change would have. Attributes that were refused already are absent. */
export const wouldRefuseChange = (attributes: PassedChange, { em, caller }: Context): Promise<Problem[]> =>
  checkItemChange(em, caller.userId, {
    teamId: attributes.team_id,
    expiresAt: expiryOf(attributes),
  })

/** Claims may be sent only to restore redacted ones. They then must be sent. */
export function checkChange({ redacted, claims }: PassedChange): Problem[] {
  const path = ['claims']
  if (redacted === false && claims === undefined)
    return [problem('required', { path, detail: 'is required to restore them' })]
  if (redacted !== false && claims !== undefined)
    return [
      problem('invalid_attribute', {
        path,
        detail: 'cannot be changed; they come only with redacted: false',
      }),
    ]
  return []
}

/**
 * Records one item and returns after it is durably committed. With an Idempotency-Key, a repeated request returns the
 * item that was recorded first.
 * @throws forbidden, invalid_attribute, plan_limit, idempotency_conflict
 */
export async function createItem(context: Context, attributes: Submission): Promise<ShownItem> {
  const draft = await draftFor(context, attributes)
  if (context.once === undefined)
    return justSubmitted(await context.services.submitItem(draft, context.caller.plan))
  const [outcome] = await context.services.submitItems(context.caller, [draft], {
    userId: context.caller.userId,
    ...context.once,
  })
  if (outcome === undefined) throw new Error('The submission has no outcome.')
  if ('problems' in outcome) throw new Refusal(outcome.problems)
  return reread(context, outcome.id)
}

/** Builds the draft of one submission in the caller's tenant. @throws forbidden for a viewer */
export async function draftFor(context: Context, attributes: Submission): Promise<ItemDraft> {
  const tenant = await context.tenant()
  requireSubmitter(tenant)
  const { claims, visibility, tags, expires_at, ...others } = attributes
  others satisfies Record<string, never>
  return draftItem({
    claims,
    ...present({ visibility, tags, expiresAt: expires_at === undefined ? undefined : new Date(expires_at) }),
    creatorId: context.caller.userId,
    teamId: tenant.id,
  })
}

/** Returns the item as it is after the change. @throws not_found, forbidden, invalid_attribute, invalid_argument */
export async function changeItem(context: Context, id: string, wanted: Change): Promise<ShownItem> {
  const { visibility, tags, team_id, redacted, claims, expires_at: _, ...others } = wanted
  others satisfies Record<string, never>
  const change = { visibility, tags, teamId: team_id, expiresAt: expiryOf(wanted), redacted, claims }
  await updateItem(context.em, { id, userId: context.caller.userId }, present(change))
  context.services.announceFacts()
  return reread(context, id)
}

/** Returns the item as it was before the deletion. @throws not_found, forbidden */
export async function destroyItem(context: Context, id: string): Promise<ShownItem> {
  const row = await itemById(context.em, id)
  await deleteItem(context.em, { id, userId: context.caller.userId })
  context.services.announceFacts()
  return found(row)
}

/** Reads by id without the visibility check, because the change may have made the item invisible to the caller. */
const reread = async ({ em }: Context, id: string): Promise<ShownItem> => found(await itemById(em, id))

/** Builds the item as a later read would return it, without reading it back. */
function justSubmitted({ draft, timeMs, ...recorded }: SubmittedItem): ShownItem {
  const at = new Date(timeMs).toISOString()
  return {
    ...recorded,
    ...draft,
    tags: [...draft.tags],
    state: 'created',
    blockId: null,
    committedAt: null,
    proofAvailableAt: null,
    redactedAt: null,
    insertedAt: at,
    updatedAt: at,
  }
}
