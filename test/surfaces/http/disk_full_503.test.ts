// The database finds no room for a write: that is a 503 and a line without a stack, readiness and metrics name it, and it heals.
import { beforeAll, expect, it } from 'vitest'
import { ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { refusals } from '../jsonapi/documents.ts'
import { itemBody } from '../jsonapi/item_documents.ts'

const app = testApp()
beforeAll(async () => {
  // As PostgreSQL says it, for new items alone: reads and other writes go on, as they do on a real disk.
  await app.query(`
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE 'could not extend file "base/5/16697": No space left on device' USING ERRCODE = 'disk_full';
    END $$`)
})

const submit = () => ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody() })
const ready = async () => {
  const { status, json } = await ask(app.port, '/health/ready')
  return { status, ...Object(json()) }
}
const said = (msg: string) => app.logged.filter((line) => line.msg === msg)
const refusedStatements = async () => {
  const { text } = await ask(app.port, '/metrics')
  return Number(/^pharos_database_disk_full_total (\d+)$/m.exec(text)?.[1])
}

it('writes are 503, with no stack in the log, reads go on, readiness and metrics say why, and it heals by itself', async () => {
  expect(await ready()).toMatchObject({ status: 200, ready: true, database: 'ok' })
  expect(await refusedStatements()).toBe(0)
  await app.query('CREATE TRIGGER no_room BEFORE INSERT ON items EXECUTE FUNCTION no_room()')
  for (let n = 0; n < 5; n += 1) {
    const answer = await submit()
    expect(refusals(answer)).toEqual(['503 database_unavailable'])
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    expect(answer.text).not.toContain('device')
  }
  expect((await ask(app.port, '/api/json/items', { key: app.owner.key })).status).toBe(200)
  const full = await eventually(async () => {
    const state = await ready()
    return state.status === 503 ? state : undefined
  })
  expect(full).toMatchObject({ ready: false, reason: 'disk_full', database: 'disk_full' })
  expect(await refusedStatements()).toBeGreaterThanOrEqual(5)
  const faults = said('request.fault')
  expect(faults).toHaveLength(5)
  for (const line of faults) {
    expect(line).toMatchObject({ level: 'warn', err: { code: '53100' } })
    expect(JSON.stringify(line)).not.toMatch(/\bat .*\.ts:/)
  }
  expect(said('database.disk_full')).toEqual([
    expect.objectContaining({ level: 'error', words: expect.stringContaining('No space left on device') }),
  ])

  await app.query('DROP TRIGGER no_room ON items')
  expect((await submit()).status).toBe(201)
  await eventually(async () => ((await ready()).status === 200 ? true : undefined))
  expect(said('database.disk_has_room')).toHaveLength(1)
})
