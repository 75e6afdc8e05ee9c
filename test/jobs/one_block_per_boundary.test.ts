// Two servers on one database: exactly one block per boundary, whoever makes it.
import { afterAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/http.ts'

const open: TestApp[] = []
afterAll(async () => {
  for (const app of open.toReversed()) await app.close()
})

const pair = async (blockIntervalMs: number): Promise<TestApp> => {
  const first = await openTestApp({ blockIntervalMs })
  open.push(first, await openTestApp({ blockIntervalMs, beside: first }))
  return first
}

/** The slots of all blocks after genesis, in order of height. */
async function slotsOf(app: TestApp, intervalMs: number): Promise<number[]> {
  const found = await app.query<{ slot: number; height: number }>(
    `SELECT floor(unix_ms(finalized_at) / $1)::float8 AS slot, height FROM blocks ORDER BY height`,
    [intervalMs],
  )
  expect(found.map(({ height }) => height)).toEqual(found.map((_, index) => index))
  return found.map(({ slot }) => slot).slice(1)
}

describe('two servers on one database', () => {
  it.each([
    ['a second, each server tries by itself', 1_000, 4],
    ['five seconds, ordered through the queue', 5_000, 2],
  ])('make one block per boundary of %s', async (_, intervalMs, blocks) => {
    const app = await pair(intervalMs)
    await eventually(async () => {
      const slots = await slotsOf(app, intervalMs)
      expect(new Set(slots).size).toBe(slots.length)
      // A machine that is late by more than a slot leaves it out. The next ones are in a row again.
      const last = slots.slice(-blocks)
      const inRow = last.map((_, index) => (last[0] ?? 0) + index)
      return last.length === blocks && inRow.join() === last.join() ? true : undefined
    })
    for (const { logged } of open)
      expect(logged.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([])
  })
})
