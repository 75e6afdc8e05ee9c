// The ground of a large console: one account with 10,000 items in 5,000 blocks that verify, and on each of its other lists as
// much as a page shows, or more.
import { randomBytes } from 'node:crypto'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { draftItem } from '../../server/domain/ledger/item.ts'
import { submitItems } from '../../server/domain/ledger/submit_items.ts'
import { makeAddress } from '../../server/domain/webhooks/receiver/receiver_address.ts'
import { REQUEST_LIMITS } from '../../server/domain/webhooks/receiver/receiver_request.ts'
import { type Ground, openGround } from '../bench/ground.ts'
import { NO_LIMITS, startServer } from '../bench/server_process.ts'
import type { Started } from '../bench/started.ts'

const ITEMS = 10_000
const BLOCKS = 5_000
/** The first block has half of the items. The others come in groups, so that most blocks are empty. */
const GROUP = { items: 50, blocks: 50 } as const
/** The page of the deliveries keeps no more. */
const DELIVERIES = 5_000
/** Of endpoints, keys, teams and what else an account has. One answer has no more. */
const ROWS = 250

/** `ids` are what names one of each in an address, by the word before it. */
export async function openLargeGround(started: Started, say: (line: string) => void) {
  const ground = await openGround(started)
  // The preparation need not survive a power failure.
  await ground.bare('ALTER SYSTEM SET synchronous_commit = off')
  await ground.bare('SELECT pg_reload_conf()')
  say(`  ${BLOCKS} blocks with ${ITEMS} items`)
  await submit(ground, ITEMS / 2)
  for (let block = 0; block < BLOCKS; ) {
    const { outcome } = await finalizeBlock({ ...ground, em: ground.store.em('ledger') }, { intervalMs: 1 })
    if (outcome !== 'finalized') continue
    block += 1
    if (block % GROUP.blocks === 0) await submit(ground, GROUP.items)
  }
  const { token } = await makeAddress(ground.store.em(), ground.userId)
  for (const statement of listsOf(ground, token)) await ground.bare(statement)
  await ground.bare('ANALYZE')
  const [found] = await ground.bare<{ id: string; hash: string }>(
    `SELECT id, (SELECT encode(block_hash, 'hex') FROM blocks ORDER BY height DESC LIMIT 1) AS hash
       FROM blocks ORDER BY leaf_count DESC LIMIT 1`,
  )
  const { base } = await startServer(ground, { ...NO_LIMITS, PUBLIC_CHAINS: 'none' })
  const ids: Readonly<Record<string, string | undefined>> = {
    blocks: found?.id,
    beacons: found?.hash,
    webhooks: idOf(1),
    teams: idOf(1),
  }
  return { base, apiKey: ground.apiKey, ids }
}

async function submit({ store, signer, userId, teamId }: Ground, count: number): Promise<void> {
  const drafts = Array.from({ length: count }, (_, n) =>
    draftItem({
      claims: submittedClaims({
        name: `Document ${n}`,
        hash: randomBytes(32).toString('hex'),
        hash_type: 'sha256',
      }),
      tags: ['lease', `office ${n % 9}`],
      creatorId: userId,
      teamId,
    }),
  )
  await submitItems({ em: store.em(), signer }, drafts)
}

const PREFIX = '01990000-0000-7000-8000-'
const idOf = (n: number): string => PREFIX + String(n).padStart(12, '0')

/**
 * What fills each list, as it would be after a while of use. The id of a row is that of its number `n`. Endpoints hear of what
 * does not happen here, because a block may be made meanwhile, and nothing answers at their addresses.
 */
const listsOf = ({ userId, teamId }: Ground, token: string): readonly string[] => {
  const id = `'${PREFIX}' || lpad(n::text, 12, '0')`
  const many = (count: number): string => `FROM generate_series(1, ${count}) AS n`
  return [
    `INSERT INTO api_keys (id, user_id, name, prefix, secret_hash)
     SELECT ${id}, '${userId}', 'Key ' || n, 'phk_' || lpad(n::text, 8, '0'), sha256(n::text::bytea) ${many(ROWS)}`,
    `INSERT INTO teams (id, name) SELECT ${id}, 'Team ' || n ${many(ROWS)}`,
    `INSERT INTO memberships (id, team_id, user_id, role) SELECT ${id}, ${id}, '${userId}', 'owner' ${many(ROWS)}`,
    `INSERT INTO users (id, email, first_name, plan)
     SELECT ${id}, 'member' || n || '@example.com', 'Member ' || n, 'free' ${many(ROWS)}`,
    `INSERT INTO memberships (id, team_id, user_id, role)
     SELECT replace(${id}, '-8000-', '-9000-'), '${idOf(1)}', ${id}, 'member' ${many(ROWS)}`,
    `INSERT INTO oauth_sessions (id, user_id, payload, user_agent, address, expires_at)
     SELECT ${id}, '${userId}', '{}', 'Firefox/' || n || ' Linux', '192.0.2.1', now() + interval '9 days' ${many(ROWS)}`,
    `INSERT INTO oauth_grants (id, user_id, client_id, client_name, redirect_host, scopes, payload, expires_at)
     SELECT ${id}, '${userId}', 'client ' || n, 'Program ' || n, 'client.example', '{api:read}', '', now() + interval '9 days'
       ${many(ROWS)}`,
    `INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, auth_type, enabled)
     SELECT ${id}, '${userId}', 'https://receiver.example/hooks/' || n, 'item', '{item.redacted,item.deleted}', 'none', true
       ${many(ROWS)}`,
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id, creator_id,
                                     team_id, visibility, status, http_status, attempts, completed_at, payload, inserted_at)
     SELECT ${id}, '${userId}', '${idOf(1)}', 'item.created', 'item', 'item ' || n, 'msg_' || n, '${userId}', '${teamId}',
            'private', 'success', 200, 1, now(), '{}', now() - (${DELIVERIES} - n) * interval '10 seconds' ${many(DELIVERIES)}`,
    `INSERT INTO receiver_requests (id, token, method, headers, body, body_bytes, secret, answered)
     SELECT ${id}, '${token}', 'POST', '[{"name": "content-type", "value": "application/json"}]',
            '{"event": "item.created"}', 25, 'none', 'ok' ${many(REQUEST_LIMITS.newest)}`,
  ]
}
