// Time: one clock, read once per statement, so that every time condition is a range of an index, however many rows there are.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { pruneApiKeys } from '../../server/domain/accounts/api_key.ts'
import { pruneIdempotencyKeys } from '../../server/domain/accounts/idempotency.ts'
import {
  dueCommitments,
  isCommitmentDue,
  moveCommitmentsBack,
} from '../../server/domain/commitments/series.ts'
import { redactExpired } from '../../server/domain/ledger/change_item.ts'
import { pruneFacts } from '../../server/domain/ledger/facts.ts'
import { pruneDeliveries } from '../../server/domain/webhooks/deliveries/delivery.ts'
import { dueDeliveries, moveDeliveriesBack } from '../../server/domain/webhooks/sending/due_deliveries.ts'
import { withSession } from '../../server/store/session.ts'
import { inTransaction } from '../../server/store/statement.ts'
import { row, rows } from '../support/rows.ts'
import { testLedger } from '../support/test_ledger.ts'

const ROWS = 500_000
/** Really there: enough for the planner to know what the columns look like. */
const SAMPLE = 2_000
/** Of tables that are as old as they are long: an index by age tells pages apart, so there must be some. */
const LONG_SAMPLE = 100_000

const ledger = testLedger()
const em = () => ledger.store.em()

beforeAll(async () => {
  const { userId, teamId } = ledger
  const { query } = ledger.database
  const tables = ['items', 'webhook_deliveries', 'facts', 'idempotency_keys', 'api_keys', 'commitments']
  // It would put the true number of rows where another one is written below.
  for (const table of tables) await query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
  const some = (text: string, parameters: readonly unknown[] = [], count = SAMPLE) =>
    query(text, [count, ...parameters])
  await some(
    `INSERT INTO items (id, team_id, creator_id, claims, claims_hash, metadata, metadata_hash, item_hash,
                        signing_key_id, signature, expires_at, inserted_at, updated_at)
     SELECT lpad(n::text, 26, '0'), $2, $3, '{}', h, '{}', h, h, '\\x00', h || h,
            pharos_now() + n * interval '1 minute', pharos_now(), pharos_now()
       FROM generate_series(1, $1::int) n, LATERAL (SELECT sha256(n::text::bytea) AS h) hashed`,
    [teamId, userId],
  )
  await some(
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                     creator_id, team_id, visibility, status, next_attempt_at, payload, inserted_at)
     SELECT 'd' || n, $2, 'e' || n % 10, 'item.created', 'item', 'i' || n, 'm' || n, $2, $3, 'private', 'pending',
            pharos_now() + n * interval '1 minute', '{}', pharos_now() - n * interval '1 minute'
       FROM generate_series(1, $1::int) n`,
    [userId, teamId],
  )
  await some(
    `INSERT INTO facts (kind, subject_id, data, at)
     SELECT 'block.finalized', n::text, '{}', pharos_now() - ($1::int - n) * interval '800 milliseconds'
       FROM generate_series(1, $1::int) n`,
    [],
    LONG_SAMPLE,
  )
  await some(
    `INSERT INTO idempotency_keys (user_id, key, request_hash, outcome, inserted_at)
     SELECT $2, 'k' || n, sha256(n::text::bytea), '', pharos_now() - ($1::int - n) * interval '800 milliseconds'
       FROM generate_series(1, $1::int) n`,
    [userId],
    LONG_SAMPLE,
  )
  await some(
    `INSERT INTO api_keys (id, user_id, name, prefix, secret_hash, expires_at)
     SELECT 'k' || n, $2, '', '', sha256(n::text::bytea), pharos_now() + n * interval '1 minute'
       FROM generate_series(1, $1::int) n`,
    [userId],
  )
  await query(`INSERT INTO epoch_series (chain, network) VALUES ('bitcoin', 'regtest')`)
  await query(
    `WITH made AS (
       INSERT INTO epochs (id, chain, network, sequence, root, first_block_id, last_block_id, block_count, closed_at)
       SELECT 'e' || n, 'bitcoin', 'regtest', n, sha256(n::text::bytea), b.id, b.id, 1, pharos_now()
         FROM generate_series(1, $1::int) n, blocks b RETURNING id, root)
     INSERT INTO commitments (id, epoch_id, chain, network, state, epoch_root, signing_key_id, look_at)
     SELECT 'c' || id, id, 'bitcoin', 'regtest', 'confirmed', root, (SELECT key_id FROM signing_keys LIMIT 1),
            pharos_now() + interval '2 minutes' FROM made`,
    [SAMPLE],
  )
  for (const table of tables) {
    await query(`ANALYZE ${table}`)
    // The planner takes the rows per page from here and the pages from the file.
    await withSession(ledger.database.superuserUrl, (session) =>
      session.query(
        `UPDATE pg_class SET reltuples = $2,
                relpages = pg_relation_size(oid) / current_setting('block_size')::int
          WHERE relname = $1`,
        [table, ROWS],
      ),
    )
  }
})

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly Node[]
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const ROLLED_BACK = new Error('Only looked at.')

/** How the database carries out the statements of a verb; what they did is undone. */
async function plansOf(verb: (em: EntityManager) => Promise<unknown>): Promise<Node[]> {
  const plans: Node[] = []
  const looked = inTransaction(em(), async (inside) => {
    const kysely = inside.getKysely()
    const executeQuery = async (statement: CompiledQuery) => {
      const explained = await kysely.executeQuery<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        CompiledQuery.raw(`EXPLAIN (FORMAT JSON) ${statement.sql}`, [...statement.parameters]),
      )
      plans.push(...explained.rows.flatMap((one) => nodesOf(one['QUERY PLAN'][0].Plan)))
      return kysely.executeQuery(statement)
    }
    const explaining = new Proxy(kysely, {
      get: (_, name) => {
        const member: unknown = Reflect.get(kysely, name)
        return name === 'executeQuery'
          ? executeQuery
          : typeof member === 'function'
            ? member.bind(kysely)
            : member
      },
    })
    await verb(Object.assign(Object.create(inside), { getKysely: () => explaining }))
    throw ROLLED_BACK
  })
  await expect(looked).rejects.toBe(ROLLED_BACK)
  return plans
}

const READS_CLOCK = /statement_timestamp|clock_timestamp|pharos_now/

describe('among half a million rows, a time condition is a range of an index', () => {
  it.each<[string, (em: EntityManager) => Promise<unknown>]>([
    ['items that have expired', (em) => redactExpired(em, 1_000)],
    ['deliveries that are due', (em) => dueDeliveries(em, [{ endpointId: 'e1', most: 50 }])],
    ['deliveries that were written down in the future', (em) => moveDeliveriesBack(em)],
    ['deliveries that are past', (em) => pruneDeliveries(em, 1_000)],
    ['facts that are past', (em) => pruneFacts(em, 1_000)],
    ['API keys that are past', (em) => pruneApiKeys(em, 1_000)],
    ['idempotency keys that are past', (em) => pruneIdempotencyKeys(em, 1_000)],
    ['commitments that are due', (em) => dueCommitments(em, { chain: 'bitcoin', network: 'regtest' }, 50)],
    [
      'commitments that wait for a time to come',
      (em) => moveCommitmentsBack(em, { chain: 'bitcoin', network: 'regtest' }),
    ],
    ['whether a commitment is due', (em) => isCommitmentDue(em, { chain: 'bitcoin', network: 'regtest' })],
    ['items as they are shown, newest first', (em) => rows(em, NEWEST, [ledger.teamId])],
  ])('%s', async (_, verb) => {
    const nodes = await plansOf(verb)
    const ranged = nodes.filter((node) => READS_CLOCK.test(node['Index Cond'] ?? ''))
    expect(ranged.length, JSON.stringify(nodes, null, 1)).toBeGreaterThan(0)
    const read = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
    // The one membership there is costs less read than looked up.
    expect(read.map((node) => node['Relation Name']).filter((name) => name !== 'memberships')).toEqual([])
  })
})

/** Two branches: all that stands in the index by id, and the few that have expired and are still to be erased. */
const NEWEST = 'SELECT r.* FROM shown_items r WHERE r.team_id = $1 ORDER BY r.id DESC LIMIT 25'

describe('the clock', () => {
  it('is read once per statement: every row is judged at the same moment', async () => {
    const { moments } = await row<{ moments: number }>(
      em(),
      'SELECT count(DISTINCT pharos_now())::int AS moments FROM generate_series(1, 200000)',
    )
    expect(moments).toBe(1)
    const { volatility } = await row<{ volatility: string }>(
      em(),
      `SELECT provolatile AS volatility FROM pg_proc WHERE proname = 'pharos_now'`,
    )
    expect(volatility, 'a volatile clock keeps every time condition from its index').toBe('s')
  })

  it('goes on from one statement to the next within a transaction', async () => {
    await ledger.store.em().transactional(async (tx) => {
      const before = await row<{ at: number }>(tx, 'SELECT unix_ms(pharos_now()) AS at')
      await rows(tx, 'SELECT pg_sleep(0.01)')
      const after = await row<{ at: number }>(tx, 'SELECT unix_ms(pharos_now()) AS at')
      expect(after.at - before.at).toBeGreaterThanOrEqual(9)
    })
  })

  it('is the only one that SQL of ours reads', () => {
    const server = join(import.meta.dirname, '../../server')
    // The table of migrations is written before there is a clock of ours; the queue's own tables have the database's;
    // the doctor compares the clocks.
    const without = [
      'store/migrate.ts',
      'jobs/queue.ts',
      'jobs/retry_webhooks.ts',
      'doctor/check_database.ts',
    ]
    const others = readdirSync(server, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('0001_time.ts') && !without.includes(name))
      .filter((name) =>
        /(clock|statement|transaction)_timestamp\(|current_timestamp|localtimestamp|timeofday\(|([<>]=?|DEFAULT|THEN|ELSE|SET \w+ =)\s*now\(\)/.test(
          readFileSync(join(server, name), 'utf8'),
        ),
      )
    expect(others).toEqual([])
  })
})
