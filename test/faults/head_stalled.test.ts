// /health/ready while the chain cannot grow, and while the database's clock disagrees with the chain.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, eventually } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'

/** The ledger's lock. While a session holds it, no block can be made. */
const LEDGER_LOCK = 7_205_002

const app = testApp()
let holder: pg.Client
beforeAll(async () => {
  await app.finalize()
  holder = new pg.Client({ connectionString: app.database.url, application_name: 'holder' })
  await holder.connect()
  await holder.query('SELECT pg_advisory_lock($1)', [LEDGER_LOCK])
})
afterAll(async () => {
  await holder.end()
})

/** Applies to every session except the lock holder's. */
async function setClock(offset: string): Promise<void> {
  const name = new URL(app.database.url).pathname.slice(1)
  await app.database.maintain(`ALTER DATABASE ${name} SET pharos.clock_offset = '${offset}'`)
  await app.database.maintain(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name <> 'holder'`,
    [name],
  )
}
const ready = (holds: (body: Readonly<Record<string, unknown>>) => boolean) =>
  eventually(async () => {
    const { status, json } = await ask(app.port, '/health/ready')
    const body: Readonly<Record<string, unknown>> = Object(json())
    return holds(body) ? { status, body } : undefined
  })
const times = (msg: string): number => app.logged.filter((line) => line.msg === msg).length

it('is 503 with the reason once the head is too old, whatever else is well', async () => {
  expect((await ready(({ ready }) => ready === true)).status).toBe(200)
  await setClock('100 days')
  const { status, body } = await ready(({ reason }) => reason === 'head_stalled')
  expect(status).toBe(503)
  expect(body).toMatchObject({ ready: false, database: 'ok', head_stalled_after_ms: expect.any(Number) })
  expect(Number(body.head_age_ms)).toBeGreaterThan(Number(body.head_stalled_after_ms))
  expect(times('head.stalled')).toBe(1)
})

it('says that the clock is behind the chain, and the log says it once', async () => {
  await setClock('-1 hour')
  const { body } = await ready(({ clock }) => clock === 'behind_chain')
  expect(Number(body.head_age_ms)).toBeLessThan(-3_000_000)
  await ready(({ clock }) => clock === 'behind_chain')
  expect(times('clock.behind_chain')).toBe(1)
})
