// Deadlines that share one timer: each ends in its own time, and none after it was met.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deadlines } from '../../server/outgoing/deadlines.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('each ends once, so long after it began, and those that were met do not', async () => {
  const late: string[] = []
  const { begin } = deadlines(1_000)
  begin(() => late.push('one'))
  const met = begin(() => late.push('met'))
  await vi.advanceTimersByTimeAsync(400)
  begin(() => late.push('two'))
  met()
  await vi.advanceTimersByTimeAsync(599)
  expect(late).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(late).toEqual(['one'])
  await vi.advanceTimersByTimeAsync(400)
  expect(late).toEqual(['one', 'two'])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(late).toEqual(['one', 'two'])
})

it('any number of them have one timer, and none when all were met and their time is over', async () => {
  const { begin } = deadlines(1_000)
  const met = Array.from({ length: 100 }, () => begin(() => undefined))
  expect(vi.getTimerCount()).toBe(1)
  for (const one of met) one()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(vi.getTimerCount()).toBe(0)
})
