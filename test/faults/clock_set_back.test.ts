// The clock of the database goes an hour ahead beside two servers that work, and is set back.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditLedger } from '../../server/domain/ledger/audit/audit_ledger.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'

const INTERVAL_MS = 1_000

let servers: TestApp[] = []
beforeAll(async () => {
  const first = await openTestApp({ blockIntervalMs: INTERVAL_MS })
  servers = [first, await openTestApp({ beside: first, blockIntervalMs: INTERVAL_MS })]
})
afterAll(async () => {
  const [first, second] = servers
  await second?.stop()
  await second?.store.close()
  await first?.close()
})

it('what was acknowledged under it is in a block soon after, and so is what comes then', async () => {
  const [first = expect.fail(), second = expect.fail()] = servers
  const { database, owner, query } = first

  const setClock = async (offset: string): Promise<void> => {
    const name = new URL(database.url).pathname.slice(1)
    await database.maintain(`ALTER DATABASE ${name} SET pharos.clock_offset = '${offset}'`)
    await database.maintain('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      name,
    ])
  }
  /** The id, if it was acknowledged. */
  const submit = async (to: TestApp): Promise<string | undefined> => {
    const attributes = { claims: { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' } }
    const answer = await ask(to.port, '/api/json/items', {
      method: 'POST',
      key: owner.key,
      headers: { 'Content-Type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'item', attributes } }),
    })
    return answer.status === 201 ? Object(answer.json()).data.id : undefined
  }
  /** Connections were cut, so a question may fail. */
  const found = <Row>(text: string) => eventually(() => query<Row>(text).catch(() => undefined))
  const head = async () =>
    (
      await found<{ height: number; ahead: boolean }>(
        `SELECT height, finalized_at > pharos_now() + interval '30 minutes' AS ahead FROM blocks ORDER BY height DESC LIMIT 1`,
      )
    )[0] ?? expect.fail('there is no block')
  const acknowledged: string[] = []
  const submitUntil = async (over: () => Promise<boolean>): Promise<void> => {
    do
      for (const server of servers)
        acknowledged.push(...[await submit(server)].filter((id) => id !== undefined))
    while (!(await over()))
  }

  await submitUntil(async () => (await head()).height > 0)
  await setClock('1 hour')
  const { height } = await head()
  await submitUntil(async () => (await head()).height > height + 1)
  // Now they wait, with times of the hour to come.
  for (let submitted = 0; submitted < 20; submitted++) await submitUntil(async () => true)
  await setClock('0')
  const later = await head()
  expect(later.ahead).toBe(true)
  await submitUntil(async () => (await head()).height > later.height + 1)
  await eventually(async () => ((await found(`SELECT FROM waiting_moments`)).length === 0 ? true : undefined))

  expect(await found<{ id: string }>(`SELECT id FROM shown_items WHERE block_id IS NULL`)).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(40)
  expect((await head()).ahead).toBe(true)
  expect((await ask(second.port, '/health/ready')).json()).toMatchObject({
    ready: true,
    clock: 'behind_chain',
  })
  expect((await auditLedger({ em: first.store.em() })).disagreements).toEqual([])
})
