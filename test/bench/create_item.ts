// Creates items over HTTP, each durable when answered. The baseline is the bare driver that inserts the same row
// into the same table, on as many connections.
import { CLAIMS, insertBare, inTurns, microsecondsEach, type Spent, spentBy } from './creation.ts'
import { load } from './load.ts'
import { type Measure, perSecond } from './measurement.ts'
import { NO_LIMITS, startServer } from './server_process.ts'

/** Items of one round. */
const AMOUNT = 4_000

export const createItem = (connections: number, aim: number): Measure =>
  async function measure(ground, say) {
    const server = await startServer(ground, NO_LIMITS)
    const request = {
      url: `${server.base}/api/json/items`,
      connections,
      method: 'POST' as const,
      headers: { authorization: `Bearer ${ground.apiKey}`, 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'item', attributes: { claims: CLAIMS } } }),
    }
    say('  warming up, then ours and the bare driver in turns')
    await load({ ...request, amount: AMOUNT })
    const spent = await inTurns(
      () => spentBy(ground, server.pid, () => load({ ...request, amount: AMOUNT })),
      () => insertBare(ground, connections, AMOUNT),
    )
    const items = AMOUNT * spent.rounds
    const ratio = spent.baseline.ms / spent.ours.ms
    const each = (ms: number) => microsecondsEach(ms, items)
    const used = ({ client, postgres }: Spent) => each(client + postgres)
    return {
      what: `create item, durable, ${connections} connections`,
      baseline: perSecond(items, spent.baseline.ms),
      ours: perSecond(items, spent.ours.ms),
      ratio,
      aim: `>= ${aim}`,
      met: ratio >= aim,
      cpu: { ours: used(spent.ours), baseline: used(spent.baseline) },
      notes: `Node ${each(spent.ours.client)} µs and PostgreSQL ${each(spent.ours.postgres)} µs an item (baseline ${each(spent.baseline.client)} and ${each(spent.baseline.postgres)}); sending the requests takes ${each(spent.ours.generator)} µs of the same processors`,
    }
  }
