// The bench continues when a measure fails, and no ceiling of the service ends a baseline.
import pg from 'pg'
import { expect, it } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { openBareSession } from './bare_session.ts'
import { type MeasureOn, runMeasures } from './run_measures.ts'

const good: MeasureOn<object> = async () => ({
  what: 'hash a file',
  baseline: '1 ms',
  ours: '2 ms',
  ratio: 2,
  aim: '<= 3 x',
  met: true,
})
const bad: MeasureOn<object> = async () => {
  throw new Error('canceling statement due to statement timeout')
}

it('a measure that fails is reported with its reason, and the rest goes on', async () => {
  const printed: string[] = []
  let closed = 0
  const ground = {
    close: async () => {
      closed += 1
    },
  }
  const failed = await runMeasures(
    { first: bad, second: good, third: bad },
    { openGround: async () => ground, say: () => undefined, print: (text) => void printed.push(text) },
  )
  expect(failed).toEqual(['first', 'third'])
  expect(printed[0]).toMatch(/^first\n {2}FAILED {4}Error: canceling statement due to statement timeout/)
  expect(printed[1]).toContain(
    'hash a file\n  baseline  1 ms\n  ours      2 ms\n  ratio     2.00   aim <= 3 x   met',
  )
  expect(printed.at(-1)).toBe('Failed: first, third\n')
  expect(closed).toBe(3)
})

it('a ground that does not open is a failure of that measure alone', async () => {
  let opened = 0
  const openGround = async () => {
    opened += 1
    if (opened === 1) throw new Error('no room')
    return { close: async () => undefined }
  }
  const silent = { say: () => undefined, print: () => undefined }
  expect(await runMeasures({ first: good, second: good }, { openGround, ...silent })).toEqual(['first'])
})

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
