// `pharos ls`, `show` and `tail` of items and deliveries, against the real service.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../support/app.ts'
import { freePort } from '../support/free_port.ts'
import { ask } from '../support/http.ts'
import { expectMembers } from './frame/json_members.ts'
import { type Desk, openDesk } from './run_pharos.ts'
import { type RunningPharos, runningPharos } from './running_pharos.ts'

let app: TestApp
let serving: TestApp
let desk: Desk
const running: RunningPharos[] = []
beforeAll(async () => {
  app = await openTestApp({ port: await freePort() })
  serving = app
})
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(async () => {
  for (const one of running.splice(0)) {
    one.kill('SIGKILL')
    await one.ended
  }
  await desk.clear()
})
afterAll(async () => {
  if (serving !== app) {
    await serving.stop()
    await serving.store.close()
  }
  await app.close()
})

const env = () => ({ PHAROS_URL: `http://127.0.0.1:${app.port}`, PHAROS_API_KEY: app.owner.key })
const pharos = (...args: string[]) => desk.pharos(args, { env: env() })
function tail(...args: string[]): RunningPharos {
  const started = runningPharos(desk, ['tail', ...args, '--every', '1'], env())
  running.push(started)
  return started
}
async function submit(name: string, more: object = {}): Promise<string> {
  const attributes = { claims: { name, hash: 'cd'.repeat(32), hash_type: 'sha256' }, ...more }
  const answer = await ask(app.port, '/api/json/items', {
    key: app.owner.key,
    body: { json: { data: { type: 'item', attributes } } },
  })
  expect(answer.status, answer.text).toBe(201)
  return (answer.json() as { data: { id: string } }).data.id
}
const idsIn = (out: string): string[] =>
  (JSON.parse(out) as { items: { id: string }[] }).items.map(({ id }) => id)
const idOf = (line: string): string => (JSON.parse(line) as { id: string }).id

describe('pharos ls', { timeout: 120_000 }, () => {
  it('lists items, the newest first, by tag, state and time, and all of them', async () => {
    expect(JSON.parse((await pharos('ls', '--json')).out)).toEqual({ items: [], has_more: false })
    const paid = await submit('paid\u202e', { tags: ['paid', 'late'] })
    await app.finalize()
    const ids = [paid]
    for (let n = 0; n < 26; n += 1) ids.unshift(await submit(`n ${n}`, n === 0 ? { tags: ['paid'] } : {}))
    const few = await pharos('ls', '--json')
    expect([idsIn(few.out), JSON.parse(few.out).has_more]).toEqual([ids.slice(0, 25), true])
    expect(few.err).toContain('pharos.mjs ls --all')
    const all = await pharos('ls', '--all', '--json')
    expect([idsIn(all.out), all.err]).toEqual([ids, ''])
    expect(idsIn((await pharos('ls', '--tag', 'paid', '--tag', 'late', '--json')).out)).toEqual([paid])
    expect(idsIn((await pharos('ls', '--tag', 'paid', '--state', 'created', '--json')).out)).toEqual([
      ids[25],
    ])
    expectMembers('ls', JSON.parse(all.out))
    const since = await pharos('ls', '--since', '1 hour ago', '--all', '--json')
    expect(idsIn(since.out)).toEqual(ids)
    const text = await pharos('ls', '--tag', 'late')
    expect(text.out).toMatch(
      new RegExp(`^${paid} {2}20\\S+Z {2}committed {2}\\[paid\\]\\[late\\] {2}paid\ufffd\n$`),
    )
    // What turns the direction of writing is escaped, and still there.
    const [row] = JSON.parse((await pharos('ls', '--tag', 'late', '--json')).out).items
    expect(row).toMatchObject({ type: 'item', id: paid, display_name: 'paid\u202e', state: 'committed' })
    expect((await pharos('ls', '--tag', 'late', '--json')).out).not.toContain('\u202e')
  })

  it('ends with 2 when it is wrongly asked, and with 1 when the service says no', async () => {
    expect(await pharos('ls', 'items')).toMatchObject({ code: 2 })
    expect(await pharos('ls', '--since', 'tomorrow')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no time'),
    })
    expect(await pharos('ls', '--state', 'burnt')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--state is one of created, committed, redacted.'),
    })
    expect(await pharos('ls', '--tag', 'x'.repeat(300))).toMatchObject({
      code: 1,
      err: expect.stringContaining('invalid_filter'),
    })
  })
})

describe('pharos show', { timeout: 120_000 }, () => {
  const found = async (...words: string[]): Promise<string[]> => {
    const { code, out, err } = await pharos('show', ...words, '--json')
    expect(code, err).toBe(0)
    return (JSON.parse(out) as { found: { type: string; id: string }[] }).found.map(
      ({ type, id }) => `${type} ${id}`,
    )
  }

  it('finds whatever the search of the console finds', async () => {
    const id = await submit('Annual report')
    await app.finalize()
    const item = await ask(app.port, `/api/json/items/${id}`, { key: app.owner.key })
    const { item_hash, claims_hash, block_id, committed_at } = Object(item.json()).data.attributes
    const [block = expect.fail()] = await app.query<{ height: number; hash: string; before: string }>(
      `SELECT height, encode(block_hash, 'hex') AS hash, previous_block_id AS before FROM blocks WHERE id = $1`,
      [block_id],
    )
    for (const name of [id, id.toLowerCase(), item_hash, claims_hash, 'Annual rep'])
      expect(await found(name), name).toEqual([`item ${id}`])
    expect(await found('Annual', 'report')).toEqual([`item ${id}`])
    for (const name of [block_id, block.hash, String(block.height), `#${block.height}`])
      expect(await found(name), name).toEqual([`block ${block_id}`])
    expect(await found(committed_at)).toEqual([`block ${block_id}`, `block ${block.before}`])
    expect(await found(app.owner.teamId)).toEqual([`team ${app.owner.teamId}`])
    expectMembers('show', JSON.parse((await pharos('show', String(block.height), '--json')).out))
    expect(await found(`https://pharos.example/items/${id}`)).toEqual([`item ${id}`])
  })

  it('shows every field, and by which of its hashes it was found', async () => {
    const id = await submit('Shown')
    const digest = await pharos('show', 'cd'.repeat(32))
    expect(digest.out).toContain(`item ${id}  by the digest in its claims`)
    const { out } = await pharos('show', id)
    expect(out).toMatch(new RegExp(`^item ${id}\n`))
    expect(out).toMatch(/\n {2}state +created\n/)
    expect(out).toMatch(/\n {2}block_id +–\n/)
    expect(out).toMatch(/\n {2}claims +\{.*"name":"Shown"/)
  })

  it('ends with 1 when there is nothing of that name, also when it is of somebody else', async () => {
    const id = await submit('Mine')
    const { key } = await app.account('grace')
    for (const name of ['01MB78W7FGY7TZHKNWE7WA3Z57', 'ef'.repeat(32), '99999999', 'no such name'])
      expect(await pharos('show', name), name).toMatchObject({ code: 1, out: '' })
    expect(await desk.pharos(['show', id], { env: { ...env(), PHAROS_API_KEY: key } })).toMatchObject({
      code: 1,
      out: '',
    })
    expect(await pharos('show')).toMatchObject({ code: 2 })
    expect(await pharos('show', 'ab')).toMatchObject({ code: 2 })
  })
})

describe('pharos tail', { timeout: 300_000 }, () => {
  it('tells each item once, over a service that is started anew, and from a time on', async () => {
    const before = await submit('before')
    const told = tail('items', '-n', '1', '--json')
    await told.linesOnce(1)
    const ids = [before, await submit('one')]
    await told.linesOnce(2)
    await serving.stop()
    if (serving !== app) await serving.store.close()
    await told.notedOnce(/asked again/)
    serving = await openTestApp({ beside: app, port: app.port })
    ids.push(await submit('two'), await submit('three'))
    expect((await told.linesOnce(4)).map(idOf)).toEqual(ids)
    expectMembers('tail items', JSON.parse(told.lines()[0] ?? ''))
    const [{ at = '' } = {}] = await app.query<{ at: string }>(
      'SELECT iso_time(inserted_at) AS at FROM items WHERE id = $1',
      [ids[1]],
    )
    const since = tail('items', '--since', at, '--json')
    expect((await since.linesOnce(3)).map(idOf)).toEqual(ids.slice(1))
  })

  it('tells deliveries', async () => {
    const made = await ask(app.port, '/api/json/webhook-endpoints', {
      key: app.owner.key,
      body: {
        json: {
          data: {
            type: 'webhook_endpoint',
            attributes: { kind: 'pull', resource_type: 'item', events: ['item.created'] },
          },
        },
      },
    })
    expect(made.status).toBe(201)
    const told = tail('deliveries')
    const id = await submit('delivered')
    expect(await told.linesOnce(1)).toEqual([
      expect.stringMatching(new RegExp(`item\\.created {2}${id} {2}pending$`)),
    ])
    const rows = await tail('deliveries', '-n', '1', '--json').linesOnce(1)
    expectMembers('tail deliveries', JSON.parse(rows[0] ?? ''))
  })

  it('runs a program for each row, which gets it on standard input, and is no shell', async () => {
    await desk.put('take.mjs', TAKE)
    await app.finalize(2)
    const height = (await app.query('SELECT FROM blocks')).length - 1
    // A shell would make a file of this, and another word of that.
    const took = tail(
      'beacons',
      '--since',
      String(height - 2),
      '--exec',
      `${process.execPath} take.mjs $HOME >out`,
    )
    expect(await took.linesOnce(2)).toEqual([`${height - 1} $HOME >out`, `${height} $HOME >out`])
    const failing = tail(
      'beacons',
      '--since',
      String(height - 2),
      '--exec',
      `${process.execPath} take.mjs fail`,
    )
    expect(await failing.ended).toBe(1)
    expect(failing.lines()).toEqual([`${height - 1} fail`])
    expect(failing.noted()).toMatch(
      new RegExp(`ended with 3[\\s\\S]*tail beacons --since ${height - 2} --exec '.* fail' --every 1$`, 'm'),
    )
    const named = tail(...['beacons', '-n', '1', '--exec', 'false', '--url', env().PHAROS_URL])
    expect(await named.ended).toBe(1)
    expect(named.noted()).toContain(`--exec false --every 1 --url '${env().PHAROS_URL}'`)
    const missing = tail('beacons', '-n', '1', '--exec', './no-such-program')
    expect(await missing.ended).toBe(2)
    expect(missing.noted()).toContain('no program ./no-such-program')
  })
})

const TAKE = `
let text = ''
for await (const chunk of process.stdin) text += chunk
console.log(JSON.parse(text).height, process.argv.slice(2).join(' '))
if (process.argv[2] === 'fail') process.exitCode = 3
`
