// What was used last stays, what was not used for the longest goes, and never more is held than may be.
import { expect, it } from 'vitest'
import { lru } from '../../server/kernel/lru.ts'

const bytes = (length: number): Uint8Array => new Uint8Array(length)

it('the entry that was not used for the longest makes room, and reading is use', () => {
  const memory = lru<string, object>(2)
  const [one, two, three] = [{}, {}, {}]
  memory.set('one', one)
  memory.set('two', two)
  expect(memory.get('one')).toBe(one)
  memory.set('three', three)
  expect([memory.get('one'), memory.get('two'), memory.get('three')]).toEqual([one, undefined, three])
})

it('an entry that is set again is the newest, and counts once, with its new weight', () => {
  const memory = lru<string, Uint8Array>(10, ({ length }) => length)
  memory.set('one', bytes(4))
  memory.set('two', bytes(4))
  memory.set('one', bytes(6))
  expect([memory.get('two')?.length, memory.get('one')?.length]).toEqual([4, 6])
  memory.set('three', bytes(1))
  expect([memory.get('two'), memory.get('one')?.length, memory.get('three')?.length]).toEqual([
    undefined,
    6,
    1,
  ])
})

it('one that alone weighs more than all may is not held, nor anything beside it', () => {
  const memory = lru<string, Uint8Array>(10, ({ length }) => length)
  memory.set('one', bytes(1))
  memory.set('huge', bytes(11))
  expect([memory.get('one'), memory.get('huge')]).toEqual([undefined, undefined])
  memory.set('ten', bytes(10))
  expect(memory.get('ten')?.length).toBe(10)
})

it('nothing is left when it is cleared, and there is room for as much again', () => {
  const memory = lru<string, Uint8Array>(10, ({ length }) => length)
  memory.set('one', bytes(10))
  memory.clear()
  expect(memory.get('one')).toBeUndefined()
  for (const name of ['two', 'three']) memory.set(name, bytes(5))
  expect([memory.get('two')?.length, memory.get('three')?.length]).toEqual([5, 5])
})
