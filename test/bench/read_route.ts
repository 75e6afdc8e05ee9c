// Reads over HTTP with a credential, compared with a bare Koa route that answers with the same bytes.

import { randomBytes } from 'node:crypto'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { draftItem } from '../../server/domain/ledger/item_draft.ts'
import { submitItems } from '../../server/domain/ledger/submit_items.ts'
import { rows } from '../support/rows.ts'
import type { Ground } from './ground.ts'
import { load } from './load.ts'
import { type Measure, perSecond } from './measurement.ts'
import { NO_LIMITS, type ServerProcess, startBaseline, startServer } from './server_process.ts'

export interface Read {
  readonly what: string
  readonly aim: number
  readonly amount: number
  readonly path: (ground: Ground) => Promise<string>
  /** Sent as a POST when present. */
  readonly body?: string
}

const CONNECTIONS = 32

const readRoute =
  ({ what, aim, amount, path, body }: Read): Measure =>
  async (ground, say) => {
    await fill(ground)
    const server = await startServer(ground, NO_LIMITS)
    let bare: ServerProcess | undefined
    try {
      const url = `${server.base}${await path(ground)}`
      const request = {
        method: body === undefined ? ('GET' as const) : ('POST' as const),
        headers: { authorization: `Bearer ${ground.apiKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      }
      const answer = await fetch(url, request)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`)
      bare = await startBaseline('bare_koa.ts', [answer.headers.get('content-type') ?? ''], text)
      say('  warming up both, then measuring')
      const measure = async (target: string) => {
        await load({ ...request, url: target, connections: CONNECTIONS, amount: Math.ceil(amount / 5) })
        return load({ ...request, url: target, connections: CONNECTIONS, amount })
      }
      const baseline = await measure(bare.base)
      const ours = await measure(url)
      const ratio = baseline / ours
      return {
        what,
        baseline: perSecond(amount, baseline),
        ours: perSecond(amount, ours),
        ratio,
        aim: `>= ${aim}`,
        met: ratio >= aim,
      }
    } finally {
      await server.stop()
      await bare?.stop()
    }
  }

export const latestBeacon = readRoute({
  what: 'GET /beacons/latest, authenticated',
  aim: 0.5,
  amount: 20_000,
  path: async () => '/api/json/beacons/latest',
})

export const beaconByHash = readRoute({
  what: 'GET /beacons/by-hash/:hash',
  aim: 0.5,
  amount: 20_000,
  path: async ({ store }) => {
    const [head] = await rows<{ hash: string }>(
      store.em(),
      `SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
    )
    return `/api/json/beacons/by-hash/${head?.hash}`
  },
})

export const itemPage = readRoute({
  what: 'GET /items, a page of 250',
  aim: 0.3,
  amount: 1_000,
  path: async () => '/api/json/items?page%5Blimit%5D=250',
})

export const graphqlBeacons = readRoute({
  what: 'GraphQL { beacons }, 25 of them',
  aim: 0.3,
  amount: 5_000,
  path: async () => '/gql',
  body: JSON.stringify({ query: '{ beacons { id hash timestamp previousHash } }' }),
})

const ITEMS = 500
const BLOCKS = 30

async function fill({ store, signer, userId, teamId }: Ground): Promise<void> {
  const drafts = Array.from({ length: ITEMS }, (_, index) =>
    draftItem({
      claims: submittedClaims({
        name: `file ${index}`,
        hash: randomBytes(32).toString('hex'),
        hash_type: 'sha256',
      }),
      creatorId: userId,
      teamId,
    }),
  )
  await submitItems({ em: store.em(), signer }, drafts)
  for (let made = 0; made < BLOCKS; ) {
    const { outcome } = await finalizeBlock({ em: store.em('ledger'), signer }, { intervalMs: 1 })
    if (outcome === 'finalized') made += 1
  }
}
