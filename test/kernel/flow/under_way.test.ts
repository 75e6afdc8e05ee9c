// What is under way is joined, what is over begins anew, and what was forgotten is joined by nobody.
import { expect, it, vi } from 'vitest'
import { underWay } from '../../../server/kernel/flow/shared_work.ts'

function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { begin: vi.fn(() => promise), resolve, reject }
}

it('those who ask for the same while it is under way share it, and others do not', async () => {
  const reading = underWay<string, string>()
  const [one, other] = [work(), work()]
  const asked = [reading.join('a', one.begin), reading.join('a', other.begin), reading.join('b', other.begin)]
  expect(reading.known('a')).toBe(asked[0])
  one.resolve('one')
  other.resolve('other')
  expect(await Promise.all(asked)).toEqual(['one', 'one', 'other'])
  expect([one.begin, other.begin].map((begin) => begin.mock.calls.length)).toEqual([1, 1])
})

it('what is over, or failed, begins anew', async () => {
  const reading = underWay<string, string>()
  const failing = work()
  const asked = [reading.join('a', failing.begin), reading.join('a', failing.begin)]
  failing.reject(new Error('away'))
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(reading.known('a')).toBeUndefined()
  expect(await reading.join('a', async () => 'again')).toBe('again')
  expect(reading.known('a')).toBeUndefined()
})

it('what was forgotten ends for those who joined it, and leaves what began after it', async () => {
  const reading = underWay<string, string>()
  const [old, fresh] = [work(), work()]
  const before = reading.join('a', old.begin)
  reading.forget()
  const after = reading.join('a', fresh.begin)
  old.resolve('old')
  expect(await before).toBe('old')
  expect(reading.known('a')).toBe(after)
  fresh.resolve('fresh')
  expect(await after).toBe('fresh')
})
