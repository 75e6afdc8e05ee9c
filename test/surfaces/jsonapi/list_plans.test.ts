// Every published filter and sort of every resource is read from an index, in both directions and in the middle.
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { catalog, type PublishedResource } from '../../../server/catalog/catalog.ts'
import { type KeysetPlace, keyColumns, keysetOf } from '../../../server/contract/keyset.ts'
import { queryFields } from '../../../server/contract/resource_fields.ts'
import { compiled } from '../../support/compiled.ts'
import { testApp } from '../../support/test_app.ts'
import { contextOf } from './explain.ts'
import { fillTables, indexesListed, keysOf, mistakesOf } from './page_plans.ts'

/** Enough that a plan that reads them all is one that nobody would choose. */
const ROWS = 20_000

/** In the tests of their own plans. */
const ELSEWHERE = ['item', 'webhook_delivery', 'user', 'team', 'membership', 'api_key']
/** Without a filter or a sort but the id, and a few rows an account. */
const SMALL = ['allowed_application']

const resources = catalog.resources.filter(
  ({ type, operations }) =>
    !ELSEWHERE.includes(type) && !SMALL.includes(type) && operations.some(({ kind }) => kind === 'list'),
)

const app = testApp()
beforeAll(async () => {
  await fillTables(app, (client) => fillEach((text) => client.query(text, [ROWS])))
  await app.query('ANALYZE blocks, entropy_observations, epochs, commitments, webhook_endpoints')
})

async function fillEach(fill: (text: string) => Promise<unknown>): Promise<void> {
  const id = (kind: number) => `'ffffffff-000${kind}-7000-8000-' || lpad(n::text, 12, '0')`
  const hash = (kind: string) => `sha256(convert_to('${kind}' || n, 'UTF8'))`
  await fill(
    `INSERT INTO blocks (id, height, previous_block_id, previous_block_hash, block_hash, merkle_root, metadata, metadata_hash,
                         signing_key_id, signature, state, leaf_count, item_count, observation_count, finalized_at)
     SELECT ${id(1)}, n, CASE n WHEN 1 THEN b.id ELSE 'ffffffff-0001-7000-8000-' || lpad((n - 1)::text, 12, '0') END,
            ${hash('p')}, ${hash('b')}, b.merkle_root, '{}', b.metadata_hash, b.signing_key_id, b.signature,
            CASE WHEN n < 40 THEN 'finalized' ELSE 'committed' END, 0, 0, 0, pharos_now() + n * interval '1 second'
       FROM blocks b, generate_series(1, $1::int) AS n WHERE b.height = 0`,
  )
  await fill(
    `INSERT INTO entropy_observations (id, source, state, entropy, entropy_hash, metadata, metadata_hash, observation_hash,
                                       signing_key_id, signature, source_published_at, block_id, leaf_index, inserted_at)
     SELECT ${id(2)}, CASE WHEN n < 40 THEN 'entropy_bitcoin' ELSE 'entropy_nist' END,
            CASE WHEN n > $1::int - 40 THEN 'created' ELSE 'committed' END, '{}', ${hash('e')}, '{}', ${hash('m')}, ${hash('o')},
            '\\x00000000', ${hash('s')} || ${hash('s')}, CASE WHEN n % 9 > 0 THEN pharos_now() + n * interval '1 second' END,
            CASE WHEN n <= $1::int - 40 THEN 'ffffffff-0001-7000-8000-' || lpad((n / 3)::text, 12, '0') END,
            CASE WHEN n <= $1::int - 40 THEN n % 3 END, pharos_now() + n * interval '1 second'
       FROM generate_series(1, $1::int) AS n`,
  )
  await app.query(
    `INSERT INTO epoch_series (chain, network) VALUES ('bitcoin', 'regtest'), ('stellar', 'testnet')`,
  )
  await fill(
    `INSERT INTO epochs (id, chain, network, sequence, root, first_block_id, last_block_id, block_count, closed_at)
     SELECT ${id(3)}, CASE WHEN n < 40 THEN 'stellar' ELSE 'bitcoin' END, CASE WHEN n < 40 THEN 'testnet' ELSE 'regtest' END, n,
            ${hash('r')}, ${id(1)}, ${id(1)}, 1, pharos_now() + n * interval '1 second'
       FROM generate_series(1, $1::int) AS n`,
  )
  await fill(
    `INSERT INTO commitments (id, epoch_id, chain, network, state, epoch_root, signing_key_id, transaction_hash, confirmed_at)
     SELECT ${id(4)}, ${id(3)}, CASE WHEN n < 40 THEN 'stellar' ELSE 'bitcoin' END, 'regtest',
            CASE WHEN n % 1000 = 0 THEN 'failed' WHEN n < 40 THEN 'pending' ELSE 'confirmed' END, ${hash('r')}, k.key_id,
            CASE WHEN n % 7 > 0 THEN ${hash('t')} END, CASE WHEN n % 7 > 0 THEN pharos_now() + n * interval '1 second' END
       FROM generate_series(1, $1::int) AS n, (SELECT key_id FROM signing_keys LIMIT 1) AS k`,
  )
  await fill(
    `INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, auth_type, signing, sealed_signing_keys, enabled, disabled_reason,
                                    inserted_at, updated_at)
     SELECT ${id(5)}, (SELECT id FROM users WHERE email = 'ada@example.com'), 'https://example.com/' || n / 2, 'item',
            ARRAY['item.created'], 'none', CASE WHEN n < 40 THEN 'v1' ELSE 'none' END, CASE WHEN n < 40 THEN '\\x00'::bytea END,
            n >= 40, CASE WHEN n < 40 THEN 'manual' END,
            pharos_now() + n * interval '1 second', pharos_now() - n * interval '1 second'
       FROM generate_series(1, $1::int) AS n`,
  )
}

const contextHere = () =>
  contextOf(app, app.owner, {
    id: app.owner.teamId,
    name: '',
    role: 'owner',
    ownershipModel: 'creator_retains',
  })

/** Where a row in the middle stands. */
async function middleOf(
  resource: PublishedResource,
  sort: string | undefined,
): Promise<KeysetPlace | undefined> {
  const keys = keysOf(resource, sort)
  const { text } = compiled(keyColumns(keys))
  const [row] = await app.query<Record<string, unknown>>(
    `SELECT ${text} FROM ${resource.table} r WHERE ${keys[0]?.column ?? 'r.id'} IS NOT NULL ORDER BY r.id OFFSET ${ROWS / 2} LIMIT 1`,
  )
  return row === undefined ? undefined : { keyset: keysetOf(keys, row), inclusive: false }
}

/** Indexes that the plans read. */
const used = new Set<string>()

/** Of other work, and of those who have few endpoints among many: here one account has them all. */
const NO_LISTS = [
  'epochs_holding',
  'commitments_due',
  'commitments_unconfirmed',
  'entropy_observations_waiting',
  'webhook_endpoints_team',
  'webhook_endpoints_user',
]

const NOTHING = ['00'.repeat(32), '2001-01-01T00:00:00.000Z', '987654321', 'nothing']

/** The oldest value and one in the middle, and one that no row has. */
async function valuesOf(resource: PublishedResource, name: string): Promise<string[]> {
  const stored = queryFields(resource)[name]?.kind.stored
  if (stored === undefined) throw new Error(`${name} is not stored`)
  const { text } = compiled(stored.asText(sql.raw(`r.${name}`)))
  const found = await Promise.all(
    [0, ROWS / 2].map((offset) =>
      app.query<{ value: string }>(
        `SELECT ${text} AS value FROM ${resource.table} r WHERE r.${name} IS NOT NULL ORDER BY r.id OFFSET ${offset} LIMIT 1`,
      ),
    ),
  )
  const nothing = NOTHING.find((one) => stored.bind(one) !== undefined)
  return [...found.flat().map(({ value }) => value), ...(nothing === undefined ? [] : [nothing])]
}

const fieldsWith = (resource: PublishedResource, which: 'sort' | 'filter'): string[] =>
  Object.entries(queryFields(resource)).flatMap(([name, field]) => (field[which] === true ? [name] : []))

const needs = ({ table }: PublishedResource): string =>
  `an index of ${table} for it in server/store/migrations/, and rows of ${table} in beforeAll here`

it('the lists that are small have neither a filter nor a sort', () => {
  for (const type of SMALL)
    for (const which of ['sort', 'filter'] as const)
      expect(fieldsWith(catalog.related(type), which)).toEqual(['id'])
})

describe.each(resources.map((resource) => [resource.type, resource] as const))('%s', (_, resource) => {
  it.each(fieldsWith(resource, 'sort').flatMap((name) => [name, `-${name}`]))('sort=%s', async (sort) => {
    const wrong: string[] = []
    for (const from of [undefined, await middleOf(resource, sort)])
      for (const backwards of [false, true])
        wrong.push(...(await mistakesOf(app, resource, contextHere(), { sort, from, backwards }, { used })))
    expect(wrong, needs(resource)).toEqual([])
  })

  it.each(fieldsWith(resource, 'filter'))('filter[%s]', async (name) => {
    const wrong: string[] = []
    const middle = await middleOf(resource, undefined)
    for (const value of await valuesOf(resource, name))
      for (const sort of ['id', '-id'])
        for (const from of [undefined, middle])
          wrong.push(
            ...(await mistakesOf(
              app,
              resource,
              contextHere(),
              { sort, filter: { [name]: value }, from },
              { used },
            )),
          )
    expect(wrong, needs(resource)).toEqual([])
  })
})

it('every index of these tables that is for lists was read', () => {
  const listed = indexesListed(
    'blocks_',
    'entropy_observations_',
    'epochs_',
    'commitments_',
    'webhook_endpoints_',
  )
  expect(listed.filter((name) => !used.has(name) && !NO_LISTS.includes(name))).toEqual([])
})
