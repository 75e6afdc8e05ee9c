// The disk of the database is full until a statement that was refused goes through, or nobody has tried for long.
import { beforeEach, expect, it } from 'vitest'
import { FullDisk } from '../../server/store/database_errors.ts'

let now: number
let heard: string[]
let disk: FullDisk
beforeEach(() => {
  now = 0
  heard = []
  disk = new FullDisk(() => now)
  disk.hear({
    onRefused: () => heard.push('refused'),
    onFull: (words) => heard.push(`full: ${words}`),
    onRoom: () => heard.push('room'),
  })
})

const WORDS = 'could not extend file'

it('it is told once, and every refusal is counted', () => {
  expect(disk.isFull).toBe(false)
  disk.refused('INSERT a', WORDS)
  disk.refused('INSERT a', WORDS)
  disk.refused('INSERT b', WORDS)
  expect(disk.isFull).toBe(true)
  expect(heard).toEqual([`full: ${WORDS}`, 'refused', 'refused', 'refused'])
})

it('only a statement that was refused shows that there is room again', () => {
  disk.refused('INSERT a', WORDS)
  disk.refused('INSERT b', WORDS)
  disk.wentThrough('SELECT')
  disk.wentThrough('UPDATE c')
  expect(disk.isFull).toBe(true)
  disk.wentThrough('INSERT b')
  expect(disk.isFull).toBe(false)
  expect(heard.at(-1)).toBe('room')
  disk.wentThrough('INSERT a')
  expect(heard.filter((what) => what === 'room')).toHaveLength(1)
})

it('what nobody tries again is forgotten, two minutes after the last refusal', () => {
  disk.refused('INSERT a', WORDS)
  now = 100_000
  disk.refused('INSERT b', WORDS)
  now = 219_000
  expect(disk.isFull).toBe(true)
  now = 221_000
  expect(disk.isFull).toBe(false)
  expect(heard.at(-1)).toBe('room')
  disk.refused('INSERT a', WORDS)
  expect(heard.slice(-2)).toEqual([`full: ${WORDS}`, 'refused'])
})

it('however many statements are refused, few are remembered', () => {
  for (let n = 0; n < 1_000; n += 1) disk.refused(`INSERT ${n}`, WORDS)
  disk.wentThrough('INSERT 999')
  expect(disk.isFull).toBe(true)
  disk.wentThrough('INSERT 0')
  expect(disk.isFull).toBe(false)
})
