// Which script computes when, how many there are at once, and that none takes more than its account's budget.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../../../server/domain/accounts/account_door.ts'
import type { Limits } from '../../../../server/domain/limits/limits.ts'
import { Refusal } from '../../../../server/kernel/refusal.ts'
import type { ScriptLimits } from '../../../../server/surfaces/agent/scripts/script_limits.ts'
import { openScripts, type Scripts } from '../../../../server/surfaces/agent/scripts/scripts.ts'
import { openServers, type Servers } from '../../../domain/limits/servers.ts'

let servers: Servers
beforeAll(async () => {
  servers = await openServers()
})
afterAll(() => servers.close())

let accounts = 0
const account = async (): Promise<string> => {
  accounts += 1
  const { userId } = await createAccount(servers.store.em(), {
    email: `scripts${accounts}@example.com`,
    firstName: 'A',
    plan: 'free',
  })
  return userId
}

interface Given {
  readonly cpuMsPerMinute?: number
  readonly patienceMs?: number
  readonly scripts?: number
  readonly perAccount?: number
  readonly limits?: Partial<ScriptLimits>
}

/** Nothing ends by itself, because a busy machine may take its time. */
const LONG = { wall_ms: 100_000, cpu_ms: 100_000 }

const openOne = async (given: Given = {}): Promise<Scripts & { readonly budgets: Limits }> => {
  const budgets = await servers.open({
    limits: { LIMIT_SCRIPT_CPU_MS_PER_MINUTE: given.cpuMsPerMinute ?? 10_000_000 },
  })
  const scripts = openScripts({
    em: servers.store.em,
    limits: budgets,
    ceilings: { scripts: given.scripts ?? 16, scripts_per_account: given.perAccount ?? 4 },
    scriptLimits: { ...LONG, ...given.limits },
    ...(given.patienceMs === undefined ? {} : { patienceMs: given.patienceMs }),
  })
  return { ...scripts, budgets }
}

interface Held {
  readonly began: Promise<void>
  readonly ended: ReturnType<Scripts['run']>
  /** Answers its call. */
  readonly release: () => void
  readonly leave: () => void
}

/** A script that tells when it has begun, by a call that is answered at once unless it is to be released. */
function held(scripts: Scripts, userId: string, source = 'return await tools.wait({})'): Held {
  const began = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const leaving = new AbortController()
  const ended = scripts.run({
    userId,
    source,
    tools: ['wait', 'tell'],
    signal: leaving.signal,
    call: async ({ tool }) => {
      began.resolve()
      if (tool === 'wait') await released.promise
      return { ok: true, text: '{}' }
    },
  })
  ended.catch(() => undefined)
  return {
    began: began.promise,
    ended,
    release: () => released.resolve(),
    leave: () => leaving.abort(),
  }
}

const run = (scripts: Scripts, userId: string, source: string) =>
  scripts.run({
    userId,
    source,
    tools: [],
    signal: new AbortController().signal,
    call: async () => ({ ok: true, text: '{}' }),
  })

/** The code and meta of the refusal. */
const refusalOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refusal)) throw new Error('no refusal', { cause: error })
  return { code: error.code, detail: error.problems[0]?.detail, ...error.problems[0]?.meta }
}

const RETURNED = { end: { kind: 'returned' } }

/** Runs the work beside so many scripts of each of three accounts that have begun. */
async function besideThree(scripts: Scripts, each: number, source: string, work: () => Promise<void>) {
  const owners = await Promise.all([account(), account(), account()])
  const others = owners.flatMap((owner) => Array.from({ length: each }, () => held(scripts, owner, source)))
  await Promise.all(others.map(({ began }) => began))
  await work()
  for (const other of others) other.leave()
  for (const other of others) expect(await other.ended).toMatchObject({ end: { kind: 'aborted' } })
}

describe('a script that waits', () => {
  it('holds no place that computes: while three accounts sleep in loops a fourth is answered each time', async () => {
    const scripts = await openOne()
    const ada = await account()
    await besideThree(scripts, 4, 'await tools.tell({}); for (;;) await sleep(9_900)', async () => {
      for (let count = 0; count < 3; count += 1)
        expect(await run(scripts, ada, 'await sleep(20); return 1')).toMatchObject(RETURNED)
    })
  })

  it('for the answer of a call lets the other scripts of its account compute', async () => {
    const scripts = await openOne()
    const ada = await account()
    const first = held(scripts, ada)
    await first.began
    expect(await run(scripts, ada, 'return 1')).toMatchObject(RETURNED)
    first.release()
    expect(await first.ended).toMatchObject({ ...RETURNED, calls: 1 })
  })

  it('spends nothing by that', async () => {
    const scripts = await openOne()
    const sleeper = await run(scripts, await account(), 'await sleep(700); return 1')
    expect(sleeper).toMatchObject(RETURNED)
    expect(sleeper.wallMs).toBeGreaterThanOrEqual(690)
    expect(sleeper.cpuMs).toBeLessThan(500)
  })
})

describe('a script that computes', () => {
  it('does it in slices: while three accounts compute without end a fourth is answered each time', async () => {
    const scripts = await openOne()
    const ada = await account()
    await besideThree(scripts, 2, 'await tools.tell({}); for (;;);', async () => {
      for (let count = 0; count < 3; count += 1)
        expect(await run(scripts, ada, 'await sleep(1); return 1')).toMatchObject(RETURNED)
    })
  })

  it('goes on where it was interrupted, and its clock is right all the while', async () => {
    const scripts = await openOne()
    const [ada, bob] = [await account(), await account()]
    const other = held(scripts, bob, 'await tools.tell({}); for (;;);')
    await other.began
    const before = await databaseTime()
    const { end } = await run(
      scripts,
      ada,
      `const began = Date.now(); let sum = 0
      for (let i = 0; i < 3e6; i += 1) sum += i % 7
      return [sum, began, Date.now()]`,
    )
    const after = await databaseTime()
    other.leave()
    await other.ended
    let sum = 0
    for (let i = 0; i < 3e6; i += 1) sum += i % 7
    const [counted, began, ended] = end.kind === 'returned' ? JSON.parse(end.text) : []
    expect(counted).toBe(sum)
    // A clock of the script has whole milliseconds.
    expect(began).toBeGreaterThanOrEqual(Math.floor(before) - 2)
    expect(ended).toBeGreaterThanOrEqual(began)
    expect(ended).toBeLessThanOrEqual(Math.ceil(after) + 2)
  })
})

const databaseTime = async (): Promise<number> => {
  const [row] = await servers.query<{ ms: number }>('SELECT unix_ms(pharos_now())::float8 AS ms')
  return row?.ms ?? Number.NaN
}

describe('scripts at once', () => {
  it('of one account: eight small ones all run, within the budget of one minute', async () => {
    const scripts = await openOne({ cpuMsPerMinute: 10_000, limits: { cpu_ms: 2_000, wall_ms: 10_000 } })
    const ada = await account()
    const ends = await Promise.all(Array.from({ length: 8 }, () => run(scripts, ada, 'return 1')))
    for (const end of ends) expect(end).toMatchObject(RETURNED)
  })

  it('have a ceiling of one account and of all: beyond it they wait, and then they are told how long', async () => {
    const scripts = await openOne({ scripts: 3, perAccount: 2, patienceMs: 300, limits: { wall_ms: 70_000 } })
    const [ada, bob, eve] = [await account(), await account(), await account()]
    const two = [held(scripts, ada), held(scripts, ada)]
    await Promise.all(two.map(({ began }) => began))
    expect(await refusalOf(run(scripts, ada, 'return 1'))).toEqual({
      code: 'overloaded',
      detail: expect.stringContaining('an account may have 2'),
      retry_after_ms: 70_000,
    })
    const third = held(scripts, bob)
    await third.began
    expect(await refusalOf(run(scripts, eve, 'return 1'))).toMatchObject({ code: 'overloaded' })
    two[0]?.release()
    await two[0]?.ended
    expect(await run(scripts, eve, 'return 1')).toMatchObject(RETURNED)
    for (const one of [...two, third]) one.release()
    for (const one of [...two, third]) expect(await one.ended).toMatchObject(RETURNED)
  })

  it('that wait for a place: the account that computed least goes first, also of those with short slices', async () => {
    const scripts = await openOne({ scripts: 1, perAccount: 1 })
    const [greedy, modest] = [await account(), await account()]
    // Each slice takes less than the millisecond that is paid before it. All take more than a slow begin of two scripts.
    const slices =
      'for (let i = 0; i < 1_500; i += 1) { await sleep(0); const at = Date.now(); while (Date.now() === at); }'
    await run(scripts, greedy, slices)
    // What a script takes to begin counts for both.
    for (let count = 0; count < 2; count += 1) await run(scripts, modest, 'return 1')
    const running = held(scripts, await account())
    await running.began
    // The database decides now whether it must, so both wait before the place is left.
    for (const one of [greedy, modest]) await scripts.budgets.charge('script_cpu', one)
    const order: string[] = []
    const waiting = [greedy, modest].map((one) => run(scripts, one, 'return 1').then(() => order.push(one)))
    running.release()
    await Promise.all(waiting)
    expect(order).toEqual([modest, greedy])
  })

  it('that wait for a place get it alternately by account, up to a number of their own', async () => {
    const scripts = await openOne({ scripts: 1, perAccount: 1 })
    const [ada, bob] = [await account(), await account()]
    const first = held(scripts, ada)
    await first.began
    const order: string[] = []
    const waiting = [...Array(8).fill(ada), bob].map((userId) =>
      run(scripts, userId, 'return 1').then(() => order.push(userId === ada ? 'ada' : 'bob')),
    )
    expect(await refusalOf(run(scripts, ada, 'return 1'))).toMatchObject({ code: 'overloaded' })
    first.release()
    await Promise.all(waiting)
    expect(order).toEqual(['bob', ...Array(8).fill('ada')])
  })
})

describe('the budget of processor time', () => {
  /** Milliseconds of processor time that come back in one second. */
  const PER_SECOND = 100

  it('once spent refuses a script until it has refilled, and nobody else pays for it', async () => {
    const scripts = await openOne({ cpuMsPerMinute: PER_SECOND * 60 })
    const ada = await account()
    scripts.budgets.spend('script_cpu', ada, PER_SECOND * 70)
    const refused = await refusalOf(run(scripts, ada, 'return 1'))
    expect(refused).toMatchObject({ code: 'rate_limited', limit: PER_SECOND * 60 })
    const { retry_after_ms: wait } = { retry_after_ms: 0, ...refused }
    expect(wait).toBeGreaterThan(1_000)
    expect(wait).toBeLessThanOrEqual(10_020)
    expect(await run(scripts, await account(), 'return 1')).toMatchObject(RETURNED)
  })

  it.each([
    ['busy loops', 4, 'const end = Date.now() + 60_000; while (Date.now() < end);', { cpu_ms: 80 }],
    ['many short slices', 1, 'for (let i = 0; i < 400; i += 1) await sleep(0)', {}],
  ])('lets a script of %s go on as fast as it refills', async (_, count, source, limits) => {
    const scripts = await openOne({ cpuMsPerMinute: PER_SECOND * 60, limits })
    const ada = await account()
    scripts.budgets.spend('script_cpu', ada, PER_SECOND * 60 - 10)
    const began = performance.now()
    const ends = await Promise.all(Array.from({ length: count }, () => run(scripts, ada, source)))
    const seconds = (performance.now() - began) / 1_000
    const used = ends.reduce((sum, { cpuMs, startCpuMs }) => sum + cpuMs + startCpuMs, 0)
    const least = source.includes('sleep') ? 400 : used
    // What the last one used beyond the budget is owed by the next.
    const owed = Math.max(...ends.map(({ cpuMs, startCpuMs }) => cpuMs + startCpuMs))
    expect(seconds).toBeGreaterThanOrEqual((least - 10 - owed) / PER_SECOND)
  })
})

describe('a script that is left', () => {
  it('while it waits never begins, and while it runs makes room at once', async () => {
    const scripts = await openOne({ scripts: 1 })
    const ada = await account()
    const running = held(scripts, ada)
    await running.began
    const waiting = held(scripts, ada, 'for (;;);')
    waiting.leave()
    running.leave()
    expect((await running.ended).end).toEqual({ kind: 'aborted' })
    expect(await waiting.ended).toMatchObject({ end: { kind: 'aborted' }, wallMs: 0 })
    expect(await run(scripts, ada, 'return 1')).toMatchObject(RETURNED)
  })

  it('while its budget refills does not wait for that', async () => {
    const scripts = await openOne({ cpuMsPerMinute: 600 })
    const ada = await account()
    const left = held(scripts, ada, 'await tools.tell({}); for (;;);')
    await left.began
    await delay(100)
    scripts.budgets.spend('script_cpu', ada, 600)
    left.leave()
    expect((await left.ended).end).toEqual({ kind: 'aborted' })
  })
})

describe('a server that stops', () => {
  it('lets a running script end, refuses those that wait, and ends what takes too long, asleep or not', async () => {
    const scripts = await openOne({ scripts: 1 })
    const [ada, bob] = [await account(), await account()]
    const first = held(scripts, ada)
    await first.began
    const waits = refusalOf(run(scripts, bob, 'return 1'))
    const closed = scripts.close()
    expect(await refusalOf(run(scripts, bob, 'return 1'))).toMatchObject({ code: 'shutting_down' })
    first.release()
    expect(await first.ended).toMatchObject(RETURNED)
    expect(await waits).toMatchObject({ code: 'shutting_down' })
    await closed

    const others = await openOne()
    const late = [
      'await tools.wait({})',
      'await tools.tell({}); await sleep(9_900)',
      'await tools.tell({}); for (;;);',
    ].map((source) => held(others, ada, source))
    await Promise.all(late.map(({ began }) => began))
    const ended = others.close()
    others.end()
    for (const one of late) expect(await refusalOf(one.ended)).toMatchObject({ code: 'shutting_down' })
    await ended
  })
})
