// When a server dies while it erases expired items, another server can go on at once.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'
import { itemBody } from '../surfaces/jsonapi/item_documents.ts'

/** A trigger of the test makes every erasure wait for this lock. */
const GATE = 991_177

const app = testApp()
let client: pg.Client
let ids: string[] = []
beforeAll(async () => {
  for (let n = 0; n < 3; n += 1) {
    const made = await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody() })
    ids = [...ids, Object(made.json()).data.id]
  }
  // From here on, only the process that is killed erases.
  await app.stop()
  client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  await client.query(`
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$;
    CREATE TRIGGER wait_at_gate BEFORE UPDATE OF claims ON items FOR EACH ROW EXECUTE FUNCTION wait_at_gate();
    SELECT pg_advisory_lock(${GATE})`)
})
afterAll(async () => {
  await client.end()
})

it('what has expired is erased on time although a server was killed while it erased it', async () => {
  const child = fork(join(import.meta.dirname, 'keeping_process.ts'), [app.database.url], { execArgv: [] })
  const ended = once(child, 'exit')
  await client.query('UPDATE items SET expires_at = pharos_now() WHERE id = ANY($1::text[])', [ids])
  const atGate = `datname = current_database() AND wait_event = 'advisory' AND query LIKE '%items%'`
  await eventually(
    async () =>
      (await client.query(`SELECT 1 FROM pg_stat_activity WHERE ${atGate}`)).rowCount === 1 || undefined,
  )
  child.kill('SIGKILL')
  await ended
  // Ends the session as PostgreSQL does when a process is gone, and so rolls its work back.
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${atGate}`)
  await client.query(`SELECT pg_advisory_unlock(${GATE})`)

  const other = await openTestApp({ beside: app })
  try {
    const erased = async () =>
      (await client.query('SELECT 1 FROM items WHERE id = ANY($1::text[]) AND claims IS NULL', [ids]))
        .rowCount === ids.length || undefined
    const began = performance.now()
    await eventually(erased)
    // Two beats of two seconds, plus time for a busy machine.
    expect(performance.now() - began).toBeLessThan(30_000)
    const facts = await client.query(`SELECT subject_id FROM facts WHERE kind = 'item.redacted'`)
    expect(facts.rows.map(({ subject_id }) => subject_id).toSorted()).toEqual(ids.toSorted())
  } finally {
    await other.close()
  }
})
