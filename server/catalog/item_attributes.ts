// The attributes of an item that a client may set, when submitting it and later.
import { TELLING } from '../../shared/proof/claims.ts'
import { attribute, type Given, type Passed } from '../contract/attribute.ts'
import { uuid7 } from '../contract/kinds/identifier.ts'
import { boolean, enumeration, instant } from '../contract/kinds/scalar.ts'
import { textList } from '../contract/kinds/text.ts'
import { claims } from '../domain/ledger/claims.ts'
import { VISIBILITIES } from '../domain/ledger/item.ts'
import { TAGS } from '../domain/ledger/tags.ts'

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

export const change = {
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

export type Submission = Given<typeof submission>
export type PassedSubmission = Passed<typeof submission>
export type Change = Given<typeof change>
export type PassedChange = Passed<typeof change>
