// How far a long copy is, as a person reads it.
import { expect, it } from 'vitest'
import { progress } from '../../server/commands/command.ts'

/** What is told of steps, each a second and a half after the one before. */
function toldOf(of: () => number, steps: readonly number[]): string[] {
  const told: string[] = []
  let now = 0
  const report = progress((line) => told.push(line), { doing: 'copied', of, now: () => now })
  for (const bytes of steps) {
    now += 1_500
    report(bytes)
  }
  return told
}

it('the whole is never less than its part, also when a file grows while it is copied', () => {
  expect(toldOf(() => 5e6, [4e6, 0, 2e6])).toEqual([
    '  copied: 4 MB of 5 MB ...',
    '  copied: 6 MB of 6 MB ...',
  ])
})

it('the whole grows when more is found', () => {
  let found = 5e6
  const of = () => {
    found += 5e6
    return found
  }
  expect(toldOf(of, [4e6, 0, 2e6])).toEqual(['  copied: 4 MB of 10 MB ...', '  copied: 6 MB of 15 MB ...'])
})
