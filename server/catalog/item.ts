// Items: claims about data, recorded permanently.
import { sql } from 'kysely'
import { CLAIMS_BOUNDS } from '../../shared/proof/claims.ts'
import { attribute } from '../contract/attribute.ts'
import {
  base64,
  enumeration,
  hex8,
  hex64,
  instant,
  jsonObject,
  text,
  textList,
  ulid,
  uuid7,
} from '../contract/kinds.ts'
import { DEFAULT_PAGE, field } from '../contract/resource.ts'
import { CLAIMS_EXAMPLE, claims } from '../domain/ledger/claims.ts'
import { ITEM_STATES, readableItem, shownItemOf, TAGS, VISIBILITIES } from '../domain/ledger/item.ts'
import { submissionUnits } from '../domain/ledger/submit_items.ts'
import { create, get, list, mutate, resource, toOne, update } from './define.ts'
import { itemFinds } from './item_finds.ts'
import {
  changeItem,
  checkChange,
  checkSubmission,
  createItem,
  destroyItem,
  FAR_OFF,
  itemChange,
  type ShownItem,
  submission,
  wouldRefuseChange,
  wouldRefuseItem,
} from './item_writes.ts'

export const item = resource<ShownItem>()({
  type: 'item',
  path: '/items',
  id: ulid(),
  doc: 'A claim about data, usually its hash. It lands in the next block and can be proven from then on.',
  fields: {
    claims: field(claims(), 'What was submitted, less its nulls; null once redacted.', {
      nullable: true,
    }),
    claims_hash: field(hex64(), 'Domain-separated hash of the canonical claims.', { filter: true }),
    metadata_hash: field(hex64(), 'Domain-separated hash of the canonical metadata.'),
    item_hash: field(hex64(), 'What stands in the block’s tree.', {
      filter: true,
      graphql: { nullable: true },
    }),
    hash: field(
      text({ max: CLAIMS_BOUNDS.hash.maximum }),
      '`claims.hash`, the digest of a file; null once redacted.',
      { nullable: true, filter: true, example: CLAIMS_EXAMPLE.hash },
    ),
    metadata: field(jsonObject({ bytes: 4_096 }), 'The witnesses the service captured at submission.'),
    signing_key_id: field(hex8(), 'The key the item was signed with.'),
    signature: field(base64({ bytes: 64 }), 'Ed25519 over the raw item hash.'),
    state: field(
      enumeration(ITEM_STATES),
      '`created`, then `committed`; `redacted` once its claims are erased, or have expired.',
      { filter: true, graphql: { asText: true } },
    ),
    visibility: field(
      enumeration(VISIBILITIES),
      'Who may read it besides its creator, and besides owners and admins of a team that retains ownership.',
      { filter: true, graphql: { asText: true } },
    ),
    tags: field(textList(TAGS), 'Labels of its owner; never hashed.', { filter: true }),
    display_name: field(text({ max: CLAIMS_BOUNDS.name.maximum }), '`claims.name`; null once redacted.', {
      nullable: true,
      example: CLAIMS_EXAMPLE.name,
      filter: true,
      sort: true,
    }),
    display_description: field(
      text({ max: CLAIMS_BOUNDS.description.maximum }),
      '`claims.description`; null once redacted.',
      { nullable: true },
    ),
    team_id: field(uuid7(), 'The team it belongs to.', { filter: true }),
    creator_id: field(uuid7(), 'The account that submitted it.', { filter: true }),
    block_id: field(uuid7(), 'The block that holds it; null until there is one.', {
      nullable: true,
      filter: true,
    }),
    committed_at: field(instant(), 'When that block was finalized.', {
      nullable: true,
      filter: true,
    }),
    proof_available_at: field(instant(), 'When the block’s first commitment was confirmed.', {
      nullable: true,
    }),
    redacted_at: field(instant(), 'Since when nobody can read its claims any more.', { nullable: true }),
    expires_at: field(
      instant(),
      'From then on the claims are not shown any more, and erased within seconds.',
      { nullable: true, filter: true, example: FAR_OFF },
    ),
    inserted_at: field(instant(), 'The time in the id.', { filter: true, sort: true }),
    updated_at: field(instant(), 'When it last changed.'),
  },
  page: { ...DEFAULT_PAGE, offset: true },
  relationships: {
    team: toOne('team_id', 'team', 'The team it belongs to.'),
    creator: toOne('creator_id', 'user', 'The account that submitted it.'),
    block: toOne('block_id', 'block', 'The block that holds it.'),
  },
  table: 'shown_items',
  heavy: ['claims'],
  isLegible: true,
  hydrate: shownItemOf,
  visible: ({ caller }, alias) => readableItem(alias, caller.userId),
  listed: async ({ tenant }) => sql`r.team_id = ${(await tenant()).id}`,
  finds: itemFinds,
  operations: [
    list({
      name: 'listItems',
      doc: 'The items of the tenant that the caller may read, newest first.',
      access: 'read',
      http: 'GET /items',
      tool: {
        name: 'list_items',
        title: 'List items',
        doc: 'The items of the team that the caller may read, newest first. An item is a timestamped claim, usually the digest of a file. Use it to find one by its name, digest, tags or state.',
        tenant: true,
      },
    }),
    get({
      name: 'getItem',
      doc: 'One item that the caller may read.',
      access: 'read',
      http: 'GET /items/:id',
      tool: {
        name: 'get_item',
        title: 'Get an item',
        doc: 'One item by its id. Its `block_id` is set once a block holds it, `proof_available_at` once generate_proof can make its proof.',
      },
    }),
    create({
      name: 'createItem',
      doc: 'Submits an item in the tenant. It is durable, hashed and signed when this answers.',
      access: 'write',
      http: 'POST /items',
      tool: {
        name: 'create_item',
        title: 'Timestamp an item',
        doc: 'Timestamps a digest, or another claim: records it for good, hashed and signed. Use it to be able to prove later that something existed by now. Send the digest of a file, not the file; `hash` needs `hash_type`. With the `id` of the answer, generate_proof makes the proof.',
        tellsWait: true,
        tenant: true,
      },
      idempotent: true,
      accepts: submission,
      check: checkSubmission,
      weigh: () => submissionUnits(1, 0),
      wouldRefuse: wouldRefuseItem,
      run: createItem,
    }),
    update({
      name: 'updateItem',
      doc: 'Changes who may read an item, its labels, its team or its expiry; redacts or restores its claims.',
      access: 'write',
      http: 'PATCH /items/:id',
      tool: {
        name: 'update_item',
        title: 'Change an item',
        doc: 'Changes who may read an item, its tags, its team or its expiry; erases its claims (`redacted`: true) or restores them. What was recorded of it stays.',
      },
      accepts: itemChange,
      check: checkChange,
      wouldRefuse: wouldRefuseChange,
      run: changeItem,
    }),
    mutate({
      name: 'redactItem',
      doc: 'Erases the claims of an item.',
      access: 'write',
      accepts: {},
      run: (context, id) => changeItem(context, id, { redacted: true }),
    }),
    mutate({
      name: 'unredactItem',
      doc: 'Restores the claims of an item.',
      access: 'write',
      accepts: {
        claims: attribute(claims(), 'Must hash to the recorded claims_hash.', { required: true }),
      },
      run: (context, id, { claims }) => changeItem(context, id, { redacted: false, claims }),
    }),
    mutate({
      name: 'destroyItem',
      doc: 'Removes an item for good; a tombstone keeps its place in the tree.',
      access: 'write',
      accepts: {},
      run: destroyItem,
    }),
  ],
})
