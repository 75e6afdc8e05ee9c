// The bench continues when a measure fails, and no ceiling of the service ends a baseline.
import pg from 'pg'
import { expect, it } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { openBareSession } from './bare_session.ts'
import { cpuMs, familyCpuMs, peakMib } from './process_use.ts'
import { reportOf } from './report.ts'
import { type MeasureOn, runMeasures } from './run_measures.ts'

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
const bad: MeasureOn<object> = async () => {
  throw new Error('canceling statement due to statement timeout')
}

const silent = { say: () => undefined, watchMachine: async () => async () => 'processors 9 % busy' }

it('a measure that fails is reported with its reason, and the rest goes on', async () => {
  let closed = 0
  const ground = {
    close: async () => {
      closed += 1
    },
  }
  const rows = await runMeasures(
    { first: bad, second: good, third: bad },
    { openGround: async () => ground, ...silent },
  )
  expect(rows.map((row) => ('failure' in row ? row.failure : row.measured.what))).toEqual([
    'canceling statement due to statement timeout',
    'hash a file',
    'canceling statement due to statement timeout',
  ])
  expect(closed).toBe(3)
})

it('a ground that does not open is a failure of that measure alone', async () => {
  let opened = 0
  const openGround = async () => {
    opened += 1
    if (opened === 1) throw new Error('no room')
    return { close: async () => undefined }
  }
  const rows = await runMeasures({ first: good, second: good }, { openGround, ...silent })
  expect(rows.map((row) => 'failure' in row)).toEqual([true, false])
})

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
| two         | FAILED |          |       |        | no  |                        |        |

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
