// Of many test files those that need a changed file, the nearest first: in the same room, then by imports in between.
import { dirname } from 'node:path'
import { importedBy } from '../support/projects.ts'

/** Rooms are named alike on both sides: `test/domain/webhooks` is about `server/domain/webhooks` and the rooms in it. */
const roomOf = (path: string): string => dirname(path).replace(/^(test|server)\//, '')

const isAbout = (room: string, tested: string): boolean => `${tested}/`.startsWith(`${room}/`)

export function nearestTests(tests: readonly string[], changed: readonly string[]): string[] {
  const far = (file: string): number => {
    const imported = importedBy(file)
    const distances = changed.flatMap((path) => {
      const imports = imported.get(path)
      if (imports === undefined) return []
      return [imports === 0 ? 0 : imports + (isAbout(roomOf(file), roomOf(path)) ? 0 : 100)]
    })
    return Math.min(...distances)
  }
  return tests
    .map((file) => ({ file, far: far(file) }))
    .filter(({ far }) => far < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.far - b.far)
    .map(({ file }) => file)
}
