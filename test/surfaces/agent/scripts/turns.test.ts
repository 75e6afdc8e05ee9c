// Which script runs when: one of an account on all servers, one on a server, and no more than the account's budget.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../../../server/domain/accounts/create_account.ts'
import { pruneScriptTurns, takeScriptTurn } from '../../../../server/domain/limits/script_turn.ts'
import type { Log } from '../../../../server/kernel/log.ts'
import { Refusal } from '../../../../server/kernel/refusal.ts'
import { openScripts, type Scripts } from '../../../../server/surfaces/agent/scripts/scripts.ts'
import { openServers, type Servers } from '../../../domain/limits/servers.ts'
import { eventually } from '../../../support/http.ts'

let servers: Servers
beforeAll(async () => {
  servers = await openServers()
})
afterAll(() => servers.close())

const nothing = (): void => undefined
const LOG: Log = { info: nothing, warn: nothing, error: nothing, debug: nothing, fatal: nothing }

let accounts = 0
const account = async (): Promise<string> => {
  accounts += 1
  const { userId } = await createAccount(
    { em: servers.store.em() },
    { email: `scripts${accounts}@example.com`, firstName: 'A', plan: 'free' },
  )
  return userId
}

const CPU_MS = 300

const openOne = async (options: { cpuMsPerMinute?: number; patienceMs?: number } = {}): Promise<Scripts> =>
  openScripts({
    em: servers.store.em,
    limits: await servers.open({
      limits: { LIMIT_SCRIPT_CPU_MS_PER_MINUTE: options.cpuMsPerMinute ?? 1_000_000 },
    }),
    log: LOG,
    // A busy machine may take its time.
    scriptLimits: { cpu_ms: CPU_MS, wall_ms: 60_000 },
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
  })

/** A script that runs until it is released. */
function held(scripts: Scripts, userId: string) {
  const began = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = scripts.run({
    userId,
    source: 'return await tools.wait({})',
    tools: ['wait'],
    signal: new AbortController().signal,
    call: async () => {
      began.resolve()
      await released.promise
      return { ok: true, text: '{}' }
    },
  })
  ended.catch(() => undefined)
  return { began: began.promise, release: () => released.resolve(), ended }
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
  return { code: error.code, ...error.problems[0]?.meta }
}

const turnOf = async (userId: string) =>
  (await servers.query('SELECT 1 FROM script_turns WHERE user_id = $1', [userId])).length

describe('turns', () => {
  it('alternate among accounts, and those that wait beyond the ceiling are refused', async () => {
    const scripts = await openOne()
    const [ada, bob] = [await account(), await account()]
    const first = held(scripts, ada)
    await first.began
    const order: string[] = []
    const waiting = [ada, ada, ada, ada, bob].map((userId) =>
      run(scripts, userId, 'return 1').then(() => order.push(userId === ada ? 'ada' : 'bob')),
    )
    expect(await refusalOf(run(scripts, ada, 'return 1'))).toEqual({ code: 'overloaded' })
    first.release()
    await Promise.all(waiting)
    expect(order).toEqual(['bob', 'ada', 'ada', 'ada', 'ada'])
    expect(await turnOf(ada)).toBe(0)
  })

  it('of one account are taken on all servers together, of different accounts side by side', async () => {
    const [here, there] = [await openOne(), await openOne()]
    const [ada, bob] = [await account(), await account()]
    const first = held(here, ada)
    await first.began
    const second = held(there, ada)
    const other = held(there, bob)
    await other.began
    other.release()
    await other.ended
    expect(await Promise.race([second.began.then(() => 'began'), Promise.resolve('waits')])).toBe('waits')
    first.release()
    await first.ended
    await second.began
    second.release()
    expect((await second.ended).end.kind).toBe('returned')
  })

  it('are waited for within bounds', async () => {
    const [here, there] = [await openOne(), await openOne({ patienceMs: 50 })]
    const ada = await account()
    const first = held(here, ada)
    await first.began
    expect(await refusalOf(run(there, ada, 'return 1'))).toEqual({ code: 'overloaded' })
    first.release()
    await first.ended
  })

  it('of a server that is gone end by themselves, and their rows are deleted later', async () => {
    const ada = await account()
    const { em } = servers.store
    expect(await takeScriptTurn({ em }, ada, 15_000)).toBeDefined()
    expect(await takeScriptTurn({ em }, ada, 15_000)).toBeUndefined()
    await servers.query(
      `UPDATE script_turns SET ends_at = ends_at - interval '15 seconds' WHERE user_id = $1`,
      [ada],
    )
    const next = await takeScriptTurn({ em }, ada, 15_000)
    expect(next).toBeDefined()
    expect(await pruneScriptTurns({ em: em() }, 10)).toBe(0)
    await servers.query(`UPDATE script_turns SET ends_at = ends_at - interval '2 hours' WHERE user_id = $1`, [
      ada,
    ])
    expect(await pruneScriptTurns({ em: em() }, 10)).toBe(1)
    await next?.end()
  })
})

describe('the budget of processor time', () => {
  it('is charged with what scripts use: small ones do not exhaust it, one that spends does', async () => {
    const scripts = await openOne({ cpuMsPerMinute: 500 })
    const ada = await account()
    for (let count = 0; count < 2; count += 1) await run(scripts, ada, 'return 1')
    const { end, cpuMs } = await run(scripts, ada, 'for (;;);')
    expect(end).toEqual({ kind: 'limit', limit: 'cpu_ms' })
    expect(cpuMs).toBeGreaterThanOrEqual(CPU_MS)
    const refused = await refusalOf(run(scripts, ada, 'return 1'))
    expect(refused).toMatchObject({ code: 'rate_limited', limit: 500 })
    const { retry_after_ms: wait } = { retry_after_ms: 0, ...refused }
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60_000)
    // Nobody else pays for it.
    expect((await run(scripts, await account(), 'return 1')).end.kind).toBe('returned')
  })
})

describe('a script that is left', () => {
  it('while it waits never begins, and while it runs makes room at once', async () => {
    const scripts = await openOne()
    const ada = await account()
    const leaving = new AbortController()
    const began = Promise.withResolvers<void>()
    const left = (source: string) =>
      scripts.run({
        userId: ada,
        source,
        tools: ['wait'],
        signal: leaving.signal,
        call: () => {
          began.resolve()
          return new Promise(() => undefined)
        },
      })
    const running = left('await tools.wait({})')
    await began.promise
    const waiting = left('for (;;);')
    leaving.abort()
    expect((await running).end).toEqual({ kind: 'aborted' })
    expect(await waiting).toMatchObject({ end: { kind: 'aborted' }, wallMs: 0 })
    expect(await turnOf(ada)).toBe(0)
  })
})

describe('a server that stops', () => {
  it('lets a running script end, refuses those that wait, and ends what takes too long', async () => {
    const scripts = await openOne()
    const [ada, bob] = [await account(), await account()]
    const first = held(scripts, ada)
    await first.began
    const waits = refusalOf(run(scripts, bob, 'return 1'))
    const closed = scripts.close()
    expect(await refusalOf(run(scripts, bob, 'return 1'))).toEqual({ code: 'shutting_down' })
    first.release()
    expect((await first.ended).end.kind).toBe('returned')
    expect(await waits).toEqual({ code: 'shutting_down' })
    await closed

    const others = await openOne()
    const late = held(others, ada)
    await late.began
    const ended = others.close()
    others.end()
    expect(await refusalOf(late.ended)).toEqual({ code: 'shutting_down' })
    await ended
    await eventually(async () => ((await turnOf(ada)) === 0 ? true : undefined))
  })
})
