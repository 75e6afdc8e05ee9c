// The ground of a siege: the real server with a small heap, a ledger with data, callers, and one hostile
// caller.
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../server/domain/accounts/api_key.ts'
import type { Plan } from '../../server/domain/accounts/plan.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { type Ground, openGround } from '../bench/ground.ts'
import { type ServerProcess, startServer } from '../bench/server_process.ts'
import type { Started } from '../bench/started.ts'
import { insertBlocks, insertItems } from '../surfaces/jsonapi/crowd.ts'
import type { Caller } from './callers.ts'

export interface SiegeGround {
  readonly ground: Ground
  readonly server: ServerProcess
  readonly callers: readonly Caller[]
  readonly hostileKey: string
}

export const BLOCK_INTERVAL_MS = 3_000
export const HEAP_MIB = 512

const ITEMS = 30_000
const BLOCKS = 400
const CALLERS = 8

export async function openSiegeGround(started: Started): Promise<SiegeGround> {
  const ground = await openGround(started)
  const { store, signer, publicLog } = ground
  // The preparation need not survive a power failure. What is measured must.
  await ground.bare('ALTER SYSTEM SET synchronous_commit = off', [])
  await ground.bare('SELECT pg_reload_conf()', [])
  const account = async (name: string, plan: Plan) => {
    const made = await createAccount(store.em(), { email: `${name}@example.com`, firstName: name, plan })
    const { secret } = await createApiKey(store.em(), { userId: made.userId, name: 'siege' })
    return { ...made, key: secret }
  }
  const callers: Caller[] = []
  for (let n = 0; n < CALLERS; n += 1)
    callers.push({ key: (await account(`caller${n}`, 'developer')).key, localAddress: `127.0.0.${10 + n}` })
  const hostile = await account('hostile', 'developer')
  await insertBlocks((text, parameters) => ground.bare(text, parameters), BLOCKS - 1)
  await finalizeBlock({ em: store.em('ledger'), signer, publicLog }, { intervalMs: 1 })
  await insertItems((text, parameters) => ground.bare(text, parameters), {
    team: hostile.teamId,
    creator: hostile.userId,
    from: 1,
    count: ITEMS,
    blocks: BLOCKS - 1,
  })
  // The items have large claims, and the hostile caller can request blocks with their items.
  await ground.bare('UPDATE items SET claims = $1 WHERE claims IS NOT NULL', [
    JSON.stringify({ name: 'x', metadata: { note: 'n'.repeat(4_000) } }),
  ])
  await ground.bare('ANALYZE', [])
  await ground.bare('ALTER SYSTEM RESET synchronous_commit', [])
  await ground.bare('SELECT pg_reload_conf()', [])
  const server = await startServer(ground, {
    BLOCK_INTERVAL: `${BLOCK_INTERVAL_MS}ms`,
    // The second one is that of `npm start`.
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB} --max-semi-space-size=32`,
  })
  return {
    ground,
    server,
    callers,
    hostileKey: hostile.key,
  }
}

/** The longest time from a block since a height to the next one, or until now, in milliseconds. Without end where there is none. */
export async function longestGap({ bare }: Ground, since: number): Promise<number> {
  const [found] = await bare<{ gap: number | null }>(
    `SELECT max(extract(epoch FROM coalesce(next.finalized_at, pharos_now()) - b.finalized_at) * 1000)::float8 AS gap
       FROM blocks b LEFT JOIN blocks next ON next.height = b.height + 1 WHERE b.height >= $1`,
    [since],
  )
  return found?.gap ?? Number.POSITIVE_INFINITY
}
