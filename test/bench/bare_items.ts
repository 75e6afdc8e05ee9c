// Baseline: pages of items as a route written by hand. It uses the same driver, the same rows and the same document,
// and remembers the credential. Usage: bare_items.ts <database url>
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import pg from 'pg'

const [url] = process.argv.slice(2)
const CONNECTIONS = 4
const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, options: '-c timezone=UTC' })

interface Caller {
  readonly userId: string
  readonly teamId: string
}

const callers = new Map<string, { readonly caller: Caller; readonly until: number }>()

async function callerOf(header: string): Promise<Caller | undefined> {
  const hash = createHash('sha256').update(header.slice('Bearer '.length)).digest()
  const name = hash.toString('base64')
  const known = callers.get(name)
  if (known !== undefined && known.until > Date.now()) return known.caller
  const { rows } = await pool.query<Caller>(
    `SELECT k.user_id AS "userId", t.id AS "teamId" FROM api_keys k JOIN teams t ON t.personal_user_id = k.user_id
      WHERE k.secret_hash = $1 AND k.revoked_at IS NULL`,
    [hash],
  )
  const [caller] = rows
  if (caller !== undefined) callers.set(name, { caller, until: Date.now() + 5_000 })
  return caller
}

const ITEMS = `
  SELECT r.* FROM shown_items r
   WHERE r.team_id = $1
     AND (r.creator_id = $2 OR r.visibility = 'public'
       OR (r.visibility = 'team' AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = $2 AND m.team_id = r.team_id))
       OR EXISTS (SELECT 1 FROM memberships m JOIN teams t ON t.id = m.team_id
                   WHERE m.user_id = $2 AND m.team_id = r.team_id AND m.role IN ('owner', 'admin')
                     AND t.ownership_model = 'team_retains'))
   ORDER BY r.id DESC LIMIT $3`

/** The columns that the driver converts. The others are passed on as they are. */
interface Row {
  readonly [column: string]: unknown
  readonly id: string
  readonly claims: string | null
  readonly metadata: string
  readonly claims_hash: Buffer
  readonly metadata_hash: Buffer
  readonly item_hash: Buffer
  readonly signing_key_id: Buffer
  readonly signature: Buffer
}

interface BlockRow extends Row {
  readonly block_hash: Buffer
  readonly previous_block_hash: Buffer
  readonly merkle_root: Buffer
}

const NOTHING = { links: {}, meta: {} }

const linked = (type: string, id: unknown) => ({
  links: {},
  meta: {},
  data: id === null ? null : { type, id },
})

const itemOf = (row: Row, isIncluding: boolean) => ({
  type: 'item',
  id: row.id,
  attributes: {
    claims: row.claims === null ? null : JSON.parse(row.claims),
    claims_hash: row.claims_hash.toString('hex'),
    metadata_hash: row.metadata_hash.toString('hex'),
    item_hash: row.item_hash.toString('hex'),
    hash: row.hash,
    metadata: JSON.parse(row.metadata),
    signing_key_id: row.signing_key_id.toString('hex'),
    signature: row.signature.toString('base64'),
    state: row.state,
    visibility: row.visibility,
    tags: row.tags,
    display_name: row.display_name,
    display_description: row.display_description,
    team_id: row.team_id,
    creator_id: row.creator_id,
    block_id: row.block_id,
    committed_at: row.committed_at,
    proof_available_at: row.proof_available_at,
    redacted_at: row.redacted_at,
    expires_at: row.expires_at,
    inserted_at: row.inserted_at,
    updated_at: row.updated_at,
  },
  relationships: {
    team: NOTHING,
    creator: isIncluding ? linked('user', row.creator_id) : NOTHING,
    block: isIncluding ? linked('block', row.block_id) : NOTHING,
  },
  ...NOTHING,
})

const blockOf = (row: BlockRow) => ({
  type: 'block',
  id: row.id,
  attributes: {
    height: row.height,
    block_hash: row.block_hash.toString('hex'),
    previous_block_hash: row.previous_block_hash.toString('hex'),
    previous_block_id: row.previous_block_id,
    merkle_root: row.merkle_root.toString('hex'),
    metadata: JSON.parse(row.metadata),
    metadata_hash: row.metadata_hash.toString('hex'),
    signing_key_id: row.signing_key_id.toString('hex'),
    signature: row.signature.toString('base64'),
    state: row.state,
    leaf_count: row.leaf_count,
    item_count: row.item_count,
    observation_count: row.observation_count,
    finalized_at: row.finalized_at,
    committed_at: row.committed_at,
    inserted_at: row.inserted_at,
    updated_at: row.updated_at,
  },
  relationships: Object.fromEntries(BLOCK_RELATIONSHIPS.map((name) => [name, NOTHING])),
  ...NOTHING,
})

const BLOCK_RELATIONSHIPS = ['previous', 'next', 'items', 'entropy_observations', 'commitments']

/** The only creator in the run is the caller. */
const userOf = (row: Row) => ({
  type: 'user',
  id: row.id,
  attributes: {
    first_name: row.first_name,
    last_name: row.last_name,
    full_name: [row.first_name, row.last_name].filter(Boolean).join(' '),
    email: row.email,
    plan: row.plan,
    default_team_id: row.default_team_id,
    inserted_at: row.inserted_at,
    updated_at: row.updated_at,
  },
  relationships: {},
  ...NOTHING,
})

async function includedOf(page: readonly Row[]): Promise<object[]> {
  const idsOf = (column: string) => [...new Set(page.map((row) => row[column]).filter((id) => id !== null))]
  const blocks = await pool.query<BlockRow>('SELECT * FROM blocks WHERE id = ANY($1)', [idsOf('block_id')])
  const users = await pool.query<Row>('SELECT * FROM users WHERE id = ANY($1)', [idsOf('creator_id')])
  return [...blocks.rows.map(blockOf), ...users.rows.map(userOf)]
}

const koa = new Koa()
koa.use(async (ctx) => {
  const caller = await callerOf(ctx.get('authorization'))
  if (caller === undefined) {
    ctx.status = 401
    return
  }
  const limit = Math.min(Number(ctx.query['page[limit]'] ?? 25), 250)
  const isIncluding = ctx.query.include === 'block,creator'
  const { rows } = await pool.query<Row>(ITEMS, [caller.teamId, caller.userId, limit + 1])
  const page = rows.slice(0, limit)
  const own = `${ctx.origin}${ctx.path}?${isIncluding ? 'include=block%2Ccreator&' : ''}`
  const self = `${own}page%5Blimit%5D=${limit}`
  const next =
    rows.length > limit ? `${own}page%5Bafter%5D=${page.at(-1)?.id}&page%5Blimit%5D=${limit}` : null
  ctx.type = 'application/vnd.api+json'
  ctx.body = JSON.stringify({
    data: page.map((row) => itemOf(row, isIncluding)),
    jsonapi: { version: '1.1' },
    links: { first: self, self, next, prev: null },
    ...(isIncluding ? { included: await includedOf(page) } : {}),
    meta: { page: { limit } },
  })
})
const server = koa.listen(0, '127.0.0.1', () => {
  process.stderr.write(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
