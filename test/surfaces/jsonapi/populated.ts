// A service with some of everything, and two people in it whose sights differ.
import { catalog } from '../../../server/catalog/catalog.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import { openTestApp, type TestAccount, type TestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { insertItems } from './crowd.ts'
import { type Page, pageOf, type Resource } from './documents.ts'

export interface Populated {
  readonly app: TestApp
  /** Where the items are; the owner made most of them, the member the rest. */
  readonly team: string
  readonly member: TestAccount
  readonly read: (path: string, by?: TestAccount) => Promise<Page>
  /** All rows of a resource that somebody may list, at most 250. */
  readonly all: (type: string, by?: TestAccount) => Promise<Resource[]>
}

export const pathOf = (type: string): string => `/api/json${catalog.related(type).path}`

export async function openPopulated(): Promise<Populated> {
  const app = await openTestApp()
  const member = await app.account('grace')
  const viewer = await app.account('ivy')
  const team = await app.team(app.owner)
  await app.team(app.owner, 'team_retains')
  await app.join(team, member.userId, 'member')
  await app.join(team, viewer.userId, 'viewer')
  await app.apiKey({ userId: app.owner.userId })
  await app.finalize(5)
  await insertItems(app.query, { team, creator: app.owner.userId, from: 0, count: 90 })
  await insertItems(app.query, { team, creator: member.userId, from: 90, count: 30 })
  await app.query(`UPDATE blocks SET state = 'committed', committed_at = now() WHERE height IN (1, 3)`)
  await app.query(
    `INSERT INTO entropy_observations (id, source, state, entropy, entropy_hash, metadata, metadata_hash, observation_hash,
                                       signing_key_id, signature, source_published_at, block_id, leaf_index, inserted_at)
     SELECT id, (ARRAY['entropy_nist', 'entropy_stellar', 'entropy_bitcoin'])[1 + n % 3],
            CASE WHEN n % 2 = 0 THEN 'committed' ELSE 'created' END, '{}', sha256(convert_to('e' || n, 'UTF8')), '{}',
            sha256(''), sha256(convert_to('o' || n / 2, 'UTF8')), '\\x00000000', decode(repeat('00', 64), 'hex'),
            CASE WHEN n % 3 = 0 THEN NULL ELSE '2026-01-01T00:00:00Z'::timestamptz + (n / 4) * interval '1 hour' END,
            CASE WHEN n % 2 = 0 THEN (SELECT b.id FROM blocks b WHERE height = 1 + n % 4) END,
            CASE WHEN n % 2 = 0 THEN 1000 + n END, '2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '1 minute'
       FROM unnest($1::text[]) WITH ORDINALITY AS given (id, n)`,
    [Array.from({ length: 16 }, newUuid7)],
  )
  const epochs = Array.from({ length: 8 }, newUuid7)
  await app.query(`INSERT INTO epoch_series (chain, network) VALUES ('bitcoin', 'test'), ('stellar', 'test')`)
  await app.query(
    `INSERT INTO epochs (id, chain, network, sequence, root, first_block_id, last_block_id, block_count, closed_at)
     SELECT id, (ARRAY['bitcoin', 'stellar'])[1 + n % 2], 'test', n / 2, sha256(convert_to((n / 3)::text, 'UTF8')),
            (SELECT b.id FROM blocks b WHERE height = n / 4), (SELECT b.id FROM blocks b WHERE height = n / 4 + 1), 2,
            '2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '5 minutes'
       FROM unnest($1::text[]) WITH ORDINALITY AS given (id, n)`,
    [epochs],
  )
  await app.query(
    `INSERT INTO commitments (id, epoch_id, chain, network, state, epoch_root, signing_key_id, transaction_hash, confirmed_at)
     SELECT id, epoch, (ARRAY['bitcoin', 'stellar'])[1 + n % 2], 'test',
            (ARRAY['pending', 'submitted', 'confirmed', 'failed'])[1 + n % 4], sha256(convert_to((n / 3)::text, 'UTF8')),
            (SELECT signing_key_id FROM blocks WHERE height = 0),
            CASE WHEN n % 4 <> 0 THEN sha256(convert_to('t' || n, 'UTF8')) END,
            CASE WHEN n % 4 = 2 THEN '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 hour' END
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (id, epoch, n)`,
    [Array.from({ length: 8 }, newUuid7), epochs],
  )
  const endpoints = Array.from({ length: 8 }, newUuid7)
  await app.query(
    `INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, auth_type, enabled, disabled_reason, inserted_at)
     SELECT id, $2, 'https://hooks.example.com/' || n / 3, 'item', '{item.created}', 'none', n % 2 = 0,
            CASE WHEN n % 2 = 1 THEN 'manual' END, '2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '1 hour'
       FROM unnest($1::text[]) WITH ORDINALITY AS given (id, n)`,
    [endpoints, app.owner.userId],
  )
  // None is ever due, and some that are over have lost their endpoint.
  await app.query(
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id, creator_id,
                                     team_id, visibility, status, http_status, attempts, next_attempt_at, completed_at,
                                     payload, inserted_at)
     SELECT id, $2, CASE WHEN n % 4 = 1 AND n % 3 = 0 THEN id ELSE ($4::text[])[1 + n % 8] END,
            (ARRAY['item.created', 'item.deleted'])[1 + n % 2], 'item', 'item ' || n / 4, 'msg_' || n / 2, $2, $3, 'team',
            (ARRAY['pending', 'success', 'failed', 'cancelled'])[1 + n % 4],
            CASE WHEN n % 4 <> 0 THEN 200 + 100 * (n % 3) END, n % 5,
            CASE WHEN n % 4 = 0 THEN '2100-01-01T00:00:00Z'::timestamptz END,
            CASE WHEN n % 4 <> 0 THEN '2026-01-01T00:00:00Z'::timestamptz END, '{}',
            -- Older ones than a month are pruned in the middle of a long test.
            date_trunc('minute', now()) - interval '20 days' + (n / 3) * interval '1 minute'
       FROM unnest($1::text[]) WITH ORDINALITY AS given (id, n)`,
    [Array.from({ length: 60 }, newUuid7), app.owner.userId, team, endpoints],
  )
  const read = async (path: string, by = app.owner): Promise<Page> => {
    const tenant = path.startsWith(pathOf('item')) ? { tenant: team } : {}
    return pageOf(await ask(app.port, path, { key: by.key, headers: tenant }))
  }
  const all = async (type: string, by = app.owner): Promise<Resource[]> =>
    (await read(`${pathOf(type)}?page[limit]=250&sort=id`, by)).data
  return { app, team, member, read, all }
}
