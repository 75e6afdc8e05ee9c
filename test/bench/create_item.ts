// Creates items over HTTP, each durable when answered. The baseline is the bare driver that inserts the same
// row.
import pg from 'pg'
import type { Ground } from './ground.ts'
import { load } from './load.ts'
import { type Measure, perSecond, timed } from './measurement.ts'
import { NO_LIMITS, startServer } from './server_process.ts'

const CONNECTIONS = 32
const AMOUNT = 12_000
const AIM = 0.5

export const createItem: Measure = async (ground, say) => {
  const server = await startServer(ground, NO_LIMITS)
  try {
    const request = {
      url: `${server.base}/api/json/items`,
      connections: CONNECTIONS,
      method: 'POST' as const,
      headers: { authorization: `Bearer ${ground.apiKey}`, 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({
        data: {
          type: 'item',
          attributes: { claims: { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' } },
        },
      }),
    }
    say('  ours: warming up, then measuring')
    await load({ ...request, amount: 1_000 })
    const ours = await load({ ...request, amount: AMOUNT })
    say('  baseline: bare driver')
    const baseline = await insertBare(ground)
    const ratio = baseline / ours
    return {
      what: `create item, durable, ${CONNECTIONS} connections`,
      baseline: perSecond(AMOUNT, baseline),
      ours: perSecond(AMOUNT, ours),
      ratio,
      aim: `>= ${AIM}`,
      met: ratio >= AIM,
    }
  } finally {
    await server.stop()
  }
}

/** Copies the newest item's row under new ids, one per transaction, on 32 connections. */
async function insertBare({ url, bare }: Ground): Promise<number> {
  const [row] = await bare('SELECT * FROM items ORDER BY id DESC LIMIT 1')
  if (row === undefined) throw new Error('There is no item to copy.')
  const columns = Object.keys(row)
  const text = `INSERT INTO items (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`
  const idAt = columns.indexOf('id')
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  let next = 0
  const insert = async (client: pg.Client): Promise<void> => {
    for (let number = next++; number < AMOUNT; number = next++) {
      const values = Object.values(row)
      values[idAt] = `0${String(number).padStart(25, '0')}`
      await client.query(text, values)
    }
  }
  const { ms } = await timed(() => Promise.all(clients.map(insert)))
  await Promise.all(clients.map((client) => client.end()))
  await bare(`DELETE FROM items WHERE id LIKE '00000%'`)
  return ms
}
