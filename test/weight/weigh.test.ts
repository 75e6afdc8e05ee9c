// What is counted of a file: code without blank lines and comments, imports from its folder, and names that it exports.
import { expect, it } from 'vitest'
import { exportedTwice, folders, weigh } from './weigh.ts'

const SOURCES = new Map([
  [
    'server/a/one.ts',
    `// A header.
import { two } from './two.ts'
import { far } from '../b/far.ts'

/**
 * A comment of several lines.
 */
export const one = two + far // counts once
/** One line. */
export interface Shape {
  readonly url: 'http://x/*'
}
`,
  ],
  ['server/a/two.ts', 'export const two = 2\n'],
  ['server/b/far.ts', 'export const far = 3\nexport type Shape = string\n'],
])

it('counts lines of code, imports from the same folder and exported names', () => {
  expect(weigh(SOURCES)).toEqual({ files: 3, lines: 9, median: 2, near: 1, exported: 5 })
})

it('tells the files of each folder, and names that several files export', () => {
  expect([...folders(SOURCES)].map(([folder, files]) => [folder, files.size])).toEqual([
    ['server/a', 2],
    ['server/b', 1],
  ])
  expect([...exportedTwice(SOURCES)]).toEqual([['Shape', ['server/a/one.ts', 'server/b/far.ts']]])
})
