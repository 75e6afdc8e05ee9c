// Example values: plausible ones by kind, and better ones where the name of a field promises more.
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Kind } from '../../contract/kind.ts'
import type { Attribute } from '../../contract/operation.ts'
import type { Field } from '../../contract/resource.ts'

const UUID7 = '01a2ce8e-9320-7630-bb7f-73edc8868b1d'
const ULID = '01MB78W7FGY7TZHKNWE7WA3Z57'
const HEX64 = '77b87c8129f32320a030b0628d8e30cca99e23e3b117b13097d619c30c0b662a'

/** A digest of a file, as most items have it. */
const CLAIMS = {
  name: 'contract.pdf',
  hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  hash_type: 'sha256',
}

const BY_KIND: Readonly<Record<string, unknown>> = {
  uuid7: UUID7,
  ulid: ULID,
  hex64: HEX64,
  hex8: '0b662a77',
  base64: Buffer.alloc(64, 7).toString('base64'),
  text: 'A text',
  free_text: 'A text',
  text_list: ['invoices'],
  integer: 1,
  boolean: true,
  instant: '2026-11-20T18:00:00.123Z',
  json_object: {},
  list: [{}],
}

/** By the name of the field or attribute, then by its whole place. */
const BY_PLACE: Readonly<Record<string, unknown>> = {
  claims: CLAIMS,
  hash: CLAIMS.hash,
  'beacon.hash': HEX64,
  display_name: CLAIMS.name,
  first_name: 'Ada',
  last_name: 'Lovelace',
  full_name: 'Ada Lovelace',
  'membership.state': 'active',
  invited_email: 'grace@example.com',
  'team.name': 'Analytical engines',
  'createTeam.name': 'Analytical engines',
  'updateTeam.name': 'Analytical engines',
  'createApiKey.name': 'Nightly job',
  'api_key.name': 'Nightly job',
  'api_key.prefix': 'phk_3vQb',
  email: 'ada@example.com',
  chain: 'bitcoin',
  network: 'mainnet',
  capture_method: 'poll',
  expires_at: '2099-12-31T23:59:59.000Z',
  url: 'https://hooks.example.com/pharos',
  events: ['item.created', 'item.committed'],
  event_type: 'item.created',
  resource_id: ULID,
  resource_type: 'item',
  message_id: `msg_${ULID}`,
  custom_header_names: ['x-environment'],
  custom_headers: { 'x-environment': 'staging' },
  since: '2026-11-20T18:00:00.000Z',
  'createApiKey.secret': `phk_${'3vQb'.repeat(12)}x`,
  'createMembership.invitation_url': 'https://pharos.example/invitations#token=…',
}

/** Attributes that go together with others only; an example has to do without. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'updateItem.claims',
  'updateItem.redacted',
  'updateItem.team_id',
  'updateUser.default_team_id',
  'createTeam.ownership_model',
  'createWebhookEndpoint.auth_secret',
  'createWebhookEndpoint.team_filter_id',
  'updateWebhookEndpoint.auth_secret',
  'updateWebhookEndpoint.team_filter_id',
])

const sample = (kind: Kind, owner: string, name: string): unknown =>
  BY_PLACE[`${owner}.${name}`] ?? BY_PLACE[name] ?? kind.values?.[0] ?? BY_KIND[kind.name] ?? 'A text'

export function exampleFields(
  owner: string,
  fields: Readonly<Record<string, Pick<Field, 'kind' | 'onRequest'>>>,
): Readonly<Record<string, unknown>> {
  const shown = Object.entries(fields).filter(([, { onRequest }]) => onRequest !== true)
  return Object.fromEntries(shown.map(([name, { kind }]) => [name, sample(kind, owner, name)]))
}

export function exampleAttributes(
  operation: string,
  accepts: Readonly<Record<string, Attribute>>,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(accepts).filter(([name]) => !LEFT_OUT.has(`${operation}.${name}`))
  return Object.fromEntries(given.map(([name, { kind }]) => [name, sample(kind, operation, name)]))
}

export const exampleId = (kind: string | undefined): unknown => BY_KIND[kind ?? ''] ?? 'an-id'

export const exampleParameter = (name: string): unknown => (name === 'hash' ? HEX64 : UUID7)

/** A resource object without its relationships’ data. */
export function exampleResource({ type, id, fields, relationships }: PublishedResource): object {
  const linked = Object.keys(relationships).map((name) => [name, { links: {}, meta: {} }])
  return {
    type,
    id: exampleId(id.name),
    attributes: exampleFields(type, fields),
    relationships: Object.fromEntries(linked),
    links: {},
    meta: {},
  }
}
