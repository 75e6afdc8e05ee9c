// What is marked for tests is found by one.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..', '..')

const textsBelow = (folder: string): string =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

it('every mark for tests is used by one', () => {
  const marks = [...textsBelow('console-web/src').matchAll(/data-testid="([^"]+)"/g)].map(
    ([, mark = '']) => mark,
  )
  expect(marks.length).toBeGreaterThan(20)
  const tests = textsBelow('test')
  expect(marks.filter((mark) => !tests.includes(mark))).toEqual([])
})
