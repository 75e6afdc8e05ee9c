// The ceilings of connections leave a server the files that it needs itself.
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { ceilings, mostOpenFiles, openFilesFor, withinOpenFiles } from '../../server/kernel/ceilings.ts'

const four = (chosen: Parameters<typeof ceilings>[0], openFiles: number | undefined) => {
  const fitted = withinOpenFiles(ceilings(chosen), openFiles)
  return [fitted.connections, fitted.connections_per_address, fitted.sockets, fitted.sockets_per_address]
}

it.each([
  ['as they are set where there are enough', {}, openFilesFor(20_000), [20_000, 2_000, 10_000, 1_000]],
  ['as they are set where nobody knows', {}, undefined, [20_000, 2_000, 10_000, 1_000]],
  ['as they are set where they are small', { connections: 100 }, 1_024, [100, 2_000, 10_000, 1_000]],
  ['those that leave two thousand', {}, 20_000, [17_952, 2_000, 8_976, 1_000]],
  ['half of a few, and no address has more than half of those', {}, 1_024, [512, 256, 256, 128]],
  ['at least one', {}, 4, [2, 1, 1, 1]],
])('are %s', (_, chosen, openFiles, expected) => {
  expect(four(chosen, openFiles)).toEqual(expected)
})

it('are fitted to the limit in force', () => {
  const shell = (limit: number) =>
    execFileSync('sh', ['-c', `ulimit -n ${limit} && "$0" -e "$1"`, process.execPath, TELL], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    })
  expect(JSON.parse(shell(300))).toBe(300)
  expect(mostOpenFiles()).toBeGreaterThan(300)
})

const TELL = `import('${new URL('../../server/kernel/ceilings.ts', import.meta.url).href}').then(({ mostOpenFiles }) => console.log(mostOpenFiles()))`
