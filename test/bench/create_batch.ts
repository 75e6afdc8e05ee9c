// Submits batches of 250 items over HTTP, each batch durable when answered. The baseline is the bare driver that
// inserts the same rows one in each transaction on 32 connections.
import { CLAIMS, insertBare, inTurns, microsecondsEach, type Spent, spentBy } from './creation.ts'
import { load } from './load.ts'
import { type Measure, perSecond } from './measurement.ts'
import { NO_LIMITS, startServer } from './server_process.ts'

const CONNECTIONS = 4
const BATCH = 250
/** Batches and bare rows of one round. */
const AMOUNT = { batches: 40, rows: 4_000 } as const
const AIM_PER_SECOND = 9_000

export const createBatch: Measure = async (ground, say) => {
  const server = await startServer(ground, NO_LIMITS)
  const request = {
    url: `${server.base}/api/json/items/batch`,
    connections: CONNECTIONS,
    method: 'POST' as const,
    headers: { authorization: `Bearer ${ground.apiKey}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { items: Array.from({ length: BATCH }, () => ({ claims: CLAIMS })) } }),
  }
  say('  warming up, then ours and the bare driver in turns')
  await load({ ...request, amount: AMOUNT.batches })
  const spent = await inTurns(
    () => spentBy(ground, server.pid, () => load({ ...request, amount: AMOUNT.batches })),
    () => insertBare(ground, 32, AMOUNT.rows),
  )
  const items = AMOUNT.batches * BATCH * spent.rounds
  const rows = AMOUNT.rows * spent.rounds
  const rate = (items * 1_000) / spent.ours.ms
  const used = ({ client, postgres }: Spent, amount: number) => microsecondsEach(client + postgres, amount)
  return {
    what: `create items in batches of ${BATCH}, ${CONNECTIONS} connections`,
    baseline: perSecond(rows, spent.baseline.ms),
    ours: perSecond(items, spent.ours.ms),
    ratio: (rate * spent.baseline.ms) / (rows * 1_000),
    aim: `>= ${AIM_PER_SECOND}/s`,
    met: rate >= AIM_PER_SECOND,
    cpu: { ours: used(spent.ours, items), baseline: used(spent.baseline, rows) },
    notes: `Node ${microsecondsEach(spent.ours.client, items)} µs and PostgreSQL ${microsecondsEach(spent.ours.postgres, items)} µs an item`,
  }
}
