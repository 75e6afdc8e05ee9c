// The bench continues when a measure fails and leaves nothing running, and no ceiling of the service ends a baseline.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { openBareSession } from './bare_session.ts'
import { cpuMs, familyCpuMs, peakMib } from './process_use.ts'
import { reportOf } from './report.ts'
import { exitCodeOf, type MeasureOn, type Runner, runMeasures } from './run_measures.ts'
import { readyProcess, startBaseline } from './server_process.ts'
import type { Started } from './started.ts'

const good: MeasureOn<object> = async () => ({
  what: 'hash a file',
  baseline: '1 ms',
  ours: '2 ms',
  ratio: 2,
  aim: '<= 3 x',
  met: true,
  cpu: { ours: 70, baseline: 35 },
  peakMib: 90,
})
const slow: MeasureOn<object> = async () => ({
  ...{ what: 'hash slowly', baseline: '1 ms', ours: '9 ms' },
  ...{ ratio: 9, aim: '<= 3 x', met: false },
})
const bad: MeasureOn<object> = async () => {
  throw new Error('canceling statement due to statement timeout')
}

/** Runs measures on a ground that is no more than a list of what they start. */
async function run(
  measures: Readonly<Record<string, MeasureOn<{ readonly started: Started }>>>,
  more: Partial<Runner<{ readonly started: Started }>> = {},
) {
  const said: string[] = []
  const rows = await runMeasures(measures, {
    openGround: async (started) => ({ started }),
    watchMachine: async () => async () => 'processors 9 % busy',
    say: (line) => said.push(line),
    stopped: new AbortController().signal,
    ...more,
  })
  return { rows, said, named: rows.map((row) => ('failure' in row ? row.failure : row.measured.what)) }
}

/** A Node of the test's own, which is gone after it in any case. */
function spawnNode(args: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, args)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** So that a failing test leaves none either. */
const killAfterwards = (pid: number): void =>
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('a measure that fails is named with its reason, the rest goes on, and the exit code is 1', async () => {
  const { rows, named } = await run({ first: bad, second: good, third: bad })
  expect(named).toEqual([
    'canceling statement due to statement timeout',
    'hash a file',
    'canceling statement due to statement timeout',
  ])
  expect(reportOf('2 cores', rows)).toMatch(/^\| first .* FAILED .*\n\| hash a file .*\n\| third .* FAILED /m)
  expect(exitCodeOf(rows)).toBe(1)
})

it('a measure below its aim says so, and leaves the exit code 0', async () => {
  const { rows, said } = await run({ first: slow, second: good })
  expect(said).toContain('  9 ms, ratio 9.00, aim <= 3 x: NOT met')
  expect(reportOf('2 cores', rows)).toMatch(/^\| hash slowly \| 9 ms .* \| NOT met \|/m)
  expect(exitCodeOf(rows)).toBe(0)
})

it('a process of a measure that failed is gone when the next one begins', async () => {
  let pid = 0
  const isLeft: boolean[] = []
  const { named } = await run({
    first: async (ground) => {
      pid = (await startBaseline(ground, 'bare_koa.ts')).pid
      killAfterwards(pid)
      isLeft.push(isAlive(pid))
      throw new Error('halfway')
    },
    second: async (ground, say) => {
      isLeft.push(isAlive(pid))
      return good(ground, say)
    },
  })
  expect(named).toEqual(['halfway', 'hash a file'])
  expect(isLeft).toEqual([true, false])
})

it('a ground that opens halfway is a failure of that measure alone, and what it opened is ended', async () => {
  const ended: string[] = []
  let opened = 0
  const openGround = async (started: Started) => {
    opened += 1
    started.add('the folder', () => ended.push(`folder ${opened}`))
    if (opened === 1) throw new Error('no room')
    return { started }
  }
  const { named } = await run({ first: good, second: good }, { openGround })
  expect(named).toEqual(['no room', 'hash a file'])
  expect(ended).toEqual(['folder 1', 'folder 2'])
})

it('what fails to end is told and changes no result, and the others are ended all the same, the last one first', async () => {
  const ended: string[] = []
  const { named, said } = await run({
    first: async ({ started }, say) => {
      started.add('the database', () => ended.push('the database'))
      started.add('the server', async () => {
        throw new Error('no such process')
      })
      started.add('the sockets', () => ended.push('the sockets'))
      return good({}, say)
    },
  })
  expect(named).toEqual(['hash a file'])
  expect(ended).toEqual(['the sockets', 'the database'])
  expect(said).toContain('  the server did not end: no such process')
})

it('a measure that does not come to its end fails in time, and can start nothing more', async () => {
  const ended: string[] = []
  const later = Promise.withResolvers<unknown>()
  const { named } = await run(
    {
      first: async ({ started }) => {
        started.add('the gate', () => setImmediate(() => later.resolve('open')))
        await later.promise
        started.add('the latecomer', () => ended.push('the latecomer'))
        throw new Error('never reached')
      },
      second: good,
    },
    { mostMs: 20 },
  )
  expect(named).toEqual(['The measure took longer than 0.02 s.', 'hash a file'])
  expect(ended).toEqual(['the latecomer'])
})

it('a server that does not become ready is a failure in time, and is ended', async () => {
  const child = spawnNode(['-e', 'setInterval(() => undefined, 1000)'])
  const { named } = await run({
    first: async ({ started }, say) => {
      await readyProcess(started, 'The server', { child, ready: /answers at (\S+)/, withinMs: 50 })
      return good({}, say)
    },
  })
  expect(named).toEqual(['The server was not ready: that took longer than 0.05 s.'])
  expect(child.signalCode).toBe('SIGTERM')
})

it('a server that ends before it is ready is a failure at once', async () => {
  const child = spawnNode(['-e', 'process.exit(3)'])
  const { named } = await run({
    first: async ({ started }, say) => {
      await readyProcess(started, 'The server', { child, ready: /answers at (\S+)/ })
      return good({}, say)
    },
  })
  expect(named).toEqual(['The process ended before it was ready.'])
})

it.for(['SIGINT', 'SIGTERM'] as const)(
  'a bench that is stopped (%s, however often) ends what runs and names what it did not measure',
  async (signal) => {
    const child = spawnNode([join(import.meta.dirname, 'endless_bench.ts')])
    const ended = once(child, 'close')
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      if (lines.length === 1) killAfterwards(Number(line))
      if (lines.length <= 2) child.kill(signal)
      if (line === 'ending') child.stdin.end('end it')
    }
    expect(await ended).toEqual([1, null])
    const [pid, ...rest] = lines
    expect(rest).toEqual(['ending', 'The bench was stopped.', 'not measured, because the bench was stopped'])
    expect([Number(pid) > 0, isAlive(Number(pid))]).toEqual([true, false])
  },
)

it('the report is one table with all rows, what failed, and what the machine did', async () => {
  const measured = await good({}, () => undefined)
  const rows = [measured]
    .flat()
    .map((row) => ({ name: 'one', measured: row, machine: 'processors 9 % busy' }))
  const report = reportOf('2 cores', [...rows, { name: 'two', failure: 'no room' }])
  expect(report).toBe(`Machine: 2 cores.

| what        | ours   | baseline | ratio | aim    | met | CPU an operation       | peak   |
| ----------- | ------ | -------- | ----- | ------ | --- | ---------------------- | ------ |
| hash a file | 2 ms   | 1 ms     | 2.00  | <= 3 x | yes | 70 µs (baseline 35 µs) | 90 MiB |
| two         | FAILED |          |       |        |     |                        |        |

- hash a file: processors 9 % busy
- two: no room
`)
})

it.skipIf(process.platform !== 'linux')(
  'the processor time and memory of a process are read while it lives',
  async () => {
    const own = await cpuMs(process.pid)
    expect(await familyCpuMs(process.pid)).toBeGreaterThanOrEqual(own ?? Number.NaN)
    expect(await peakMib(process.pid)).toBeGreaterThan(10)
    expect(await cpuMs(2 ** 30)).toBeUndefined()
  },
)

it('a baseline has no statement timeout, whatever the database says', async () => {
  const database = await cloneDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET statement_timeout = 50', current_database()); END $$`)
  const bare = await openBareSession(database.url)
  try {
    expect(await bare.query(`SELECT pg_sleep(0.3), 'done' AS said`)).toEqual([{ pg_sleep: '', said: 'done' }])
  } finally {
    await bare.close()
    await client.end()
    await database.drop()
  }
})
