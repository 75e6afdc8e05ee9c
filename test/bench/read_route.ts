// Reads over HTTP with a credential. Beacons are compared with a bare Koa route that answers with the same bytes, pages
// of items with a route that was written by hand.
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { draftItem } from '../../server/domain/ledger/item.ts'
import { submitItems } from '../../server/domain/ledger/submit_items.ts'
import { rows } from '../support/rows.ts'
import type { Ground } from './ground.ts'
import { type Measure, perSecond } from './measurement.ts'
import { peakMib } from './process_use.ts'
import { NO_LIMITS, type ServerProcess, startBaseline, startServer } from './server_process.ts'
import { takeTurns } from './take_turns.ts'

export interface Read {
  readonly what: string
  readonly aim: number
  readonly amount: number
  readonly path: (ground: Ground) => Promise<string>
  /** Sent as a POST when present. */
  readonly body?: string
  /** What the ratio is made of. */
  readonly by: 'time' | 'cpu'
  /** Bytes of the metadata in the claims of each item. None when absent. */
  readonly metadataBytes?: number
  /** @param text what ours answered */
  readonly baseline: (ground: Ground, answer: { type: string; text: string }) => Promise<ServerProcess>
}

const readRoute =
  ({ what, aim, amount, path: pathIn, body, by, metadataBytes, baseline: startBare }: Read): Measure =>
  async (ground, say) => {
    await fill(ground, metadataBytes)
    const server = await startServer(ground, NO_LIMITS)
    const path = await pathIn(ground)
    const request = {
      method: body === undefined ? ('GET' as const) : ('POST' as const),
      headers: { authorization: `Bearer ${ground.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    }
    const ask = async (base: string): Promise<{ type: string; text: string }> => {
      const answer = await fetch(`${base}${path}`, request)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
      return { type: answer.headers.get('content-type') ?? '', text }
    }
    const ours = await ask(server.base)
    const bare = await startBare(ground, ours)
    requireSame(ours.text, (await ask(bare.base)).text)
    say('  warming up both, then measuring in turns')
    const turns = await takeTurns({ ours: server, baseline: bare }, { ...request, path, amount })
    const ratio = turns.baseline[by === 'cpu' ? 'cpu' : 'ms'] / turns.ours[by === 'cpu' ? 'cpu' : 'ms']
    const peak = await peakMib(server.pid)
    return {
      what,
      baseline: perSecond(turns.perTurn, turns.baseline.ms),
      ours: perSecond(turns.perTurn, turns.ours.ms),
      ratio,
      aim: `>= ${aim}${by === 'cpu' ? ' (CPU)' : ''}`,
      met: ratio >= aim,
      cpu: { ours: turns.ours.cpu, baseline: turns.baseline.cpu },
      ...(peak === undefined ? {} : { peakMib: peak }),
    }
  }

const sameBytes: Read['baseline'] = (ground, { type, text }) =>
  startBaseline(ground, 'bare_koa.ts', [type], text)
const byHand: Read['baseline'] = (ground) => startBaseline(ground, 'bare_items.ts', [ground.url])

/** The links differ by the port and by the form of a cursor, and included records have no order. */
function requireSame(ours: string, baseline: string): void {
  const [one, other] = [ours, baseline].map((text) => {
    const document: { included?: { readonly id: string }[] } = { ...JSON.parse(text), links: undefined }
    document.included?.sort((a, b) => (a.id < b.id ? -1 : 1))
    return document
  })
  if (!isDeepStrictEqual(one, other)) throw new Error('The baseline answers with another document.')
}

export const latestBeacon = readRoute({
  what: 'GET /beacons/latest, authenticated',
  aim: 0.6,
  amount: 25_000,
  by: 'time',
  path: async () => '/api/json/beacons/latest',
  baseline: sameBytes,
})

export const beaconByHash = readRoute({
  what: 'GET /beacons/by-hash/:hash',
  aim: 0.6,
  amount: 25_000,
  by: 'time',
  path: async ({ store }) => {
    const [head] = await rows<{ hash: string }>(
      store.em(),
      `SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
    )
    return `/api/json/beacons/by-hash/${head?.hash}`
  },
  baseline: sameBytes,
})

const itemPageWith = (parts: Pick<Read, 'what' | 'metadataBytes'>, query = ''): Measure =>
  readRoute({
    ...parts,
    aim: 0.9,
    amount: 1_000,
    by: 'cpu',
    path: async () => `/api/json/items?${query}page%5Blimit%5D=250`,
    baseline: byHand,
  })

export const itemPage = itemPageWith({ what: 'GET /items, a page of 250' })

export const largeItemPage = itemPageWith({ what: 'GET /items, a page of 250 of 2 KB', metadataBytes: 2_000 })

export const itemPageWithIncluded = itemPageWith(
  { what: 'GET /items, a page of 250 with blocks and creators' },
  'include=block%2Ccreator&',
)

export const graphqlBeacons = readRoute({
  what: 'GraphQL { beacons }, 25 of them',
  aim: 0.35,
  amount: 25_000,
  by: 'time',
  path: async () => '/gql',
  body: JSON.stringify({ query: '{ beacons { id hash timestamp previousHash } }' }),
  baseline: sameBytes,
})

/** Of characters that must be escaped, or take several bytes, and of plain ones. */
const NOTE = 'é "quoted" and plain. '

const ITEMS = 500
const BLOCKS = 30

/** The items are spread over blocks, as in a list that grew over time. */
async function fill({ store, signer, publicLog, userId, teamId }: Ground, metadataBytes = 0): Promise<void> {
  const draft = (index: number) =>
    draftItem({
      claims: submittedClaims({
        name: `file ${index}`,
        hash: randomBytes(32).toString('hex'),
        hash_type: 'sha256',
        ...(metadataBytes === 0
          ? {}
          : { metadata: { note: NOTE.repeat(metadataBytes / Buffer.byteLength(NOTE)) } }),
      }),
      creatorId: userId,
      teamId,
    })
  for (let made = 0; made < BLOCKS; ) {
    const drafts = Array.from({ length: Math.ceil(ITEMS / BLOCKS) }, (_, index) => draft(index))
    await submitItems({ em: store.em(), signer }, drafts)
    const { outcome } = await finalizeBlock({ em: store.em('ledger'), signer, publicLog }, { intervalMs: 1 })
    if (outcome === 'finalized') made += 1
  }
}
