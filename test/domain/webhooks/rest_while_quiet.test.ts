// A visit rests while all its attempts only wait, and works again with the next that happens.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { restWhileQuiet } from '../../../server/domain/webhooks/sending/deliver_endpoint.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const LONG = 1_000

function visit() {
  const told: boolean[] = []
  const attempting = restWhileQuiet((rests) => void told.push(rests))
  const begin = (isWait: boolean) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const made = attempting(() => promise, isWait)
    return { made, end: () => resolve('done'), fail: () => reject(new Error('ours')) }
  }
  return { told, attempt: () => begin(false), wait: () => begin(true) }
}

it('an attempt that is over at once never rests', async () => {
  const { told, attempt } = visit()
  for (let n = 0; n < 20; n += 1) {
    const one = attempt()
    await vi.advanceTimersByTimeAsync(50)
    one.end()
    expect(await one.made).toBe('done')
  }
  await vi.advanceTimersByTimeAsync(LONG)
  expect(told).toEqual([])
})

it('an attempt that waits rests until it ends, well or not', async () => {
  const { told, attempt } = visit()
  const slow = attempt()
  await vi.advanceTimersByTimeAsync(LONG)
  expect(told).toEqual([true])
  slow.end()
  await slow.made
  expect(told).toEqual([true, false])
  const failing = attempt()
  await vi.advanceTimersByTimeAsync(LONG)
  failing.fail()
  await expect(failing.made).rejects.toThrow('ours')
  expect(told).toEqual([true, false, true, false])
})

it('a wait rests from its first moment, unless an attempt is under way beside it', async () => {
  const { told, attempt, wait } = visit()
  const alone = wait()
  expect(told).toEqual([true])
  const busy = attempt()
  expect(told).toEqual([true, false])
  busy.end()
  await busy.made
  expect(told).toEqual([true, false, true])
  alone.end()
  await alone.made
  await vi.advanceTimersByTimeAsync(LONG)
  expect(told).toEqual([true, false, true, false])
})

it('of attempts side by side all have to wait, and one that begins ends the rest', async () => {
  const { told, attempt } = visit()
  const hanging = attempt()
  await vi.advanceTimersByTimeAsync(50)
  const busy = attempt()
  await vi.advanceTimersByTimeAsync(60)
  // The first waits, and the second may still compute.
  expect(told).toEqual([])
  busy.end()
  await busy.made
  expect(told).toEqual([true])
  const next = attempt()
  expect(told).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(LONG)
  expect(told).toEqual([true, false, true])
  hanging.end()
  await hanging.made
  expect(told).toEqual([true, false, true])
  next.end()
  await next.made
  expect(told).toEqual([true, false, true, false])
})
