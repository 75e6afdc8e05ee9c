// Finds the project of each test file from its imports, so that no list is needed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..', '..')

/**
 * A file belongs to the first project of which it imports a mark, directly or indirectly. Without a mark it
 * belongs to `unit`.
 */
const MARKS = {
  // Takes long, so it is early: vitest begins with projects whose names are early in the alphabet.
  checks: ['test/types_and_lint.test.ts'],
  // Has sizes that only `npm run soak` runs in full.
  soak: ['test/support/sizes.ts'],
  browser: ['test/support/browser.ts'],
  // Uses a database of the run, its own database, or the service in a process.
  database: [
    'test/support/database.ts',
    'test/support/server_process.ts',
    'test/store/embedded_support.ts',
    'test/client/run_pharos.ts',
    'server/store/embedded/postgres_process.ts',
  ],
} as const

export type ProjectName = keyof typeof MARKS | 'unit'

/** The paths of all test files from the root of the checkout, by project. */
export function testFiles(): Readonly<Record<ProjectName, readonly string[]>> {
  const byProject: Record<ProjectName, string[]> = {
    unit: [],
    database: [],
    browser: [],
    soak: [],
    checks: [],
  }
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.test.ts')).sort())
    byProject[projectOf(`test/${file}`)].push(`test/${file}`)
  return byProject
}

function projectOf(file: string): ProjectName {
  const imported = importedBy(file)
  const names = Object.keys(MARKS) as (keyof typeof MARKS)[]
  return names.find((name) => MARKS[name].some((mark) => imported.has(mark))) ?? 'unit'
}

const known = new Map<string, readonly string[]>()

/** All files of this repository that a file imports, including itself, with the distance in imports. */
export function importedBy(file: string): ReadonlyMap<string, number> {
  const found = new Map([[file, 0]])
  // Entries added during the loop are visited too.
  for (const [path, distance] of found)
    for (const target of importsOf(path)) if (!found.has(target)) found.set(target, distance + 1)
  return found
}

function importsOf(path: string): readonly string[] {
  const before = known.get(path)
  if (before !== undefined) return before
  const text = readFileSync(join(ROOT, path), 'utf8')
  const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g)]
    .map(([, name = '']) => relative(ROOT, resolve(ROOT, dirname(path), name)))
    .filter((target) => existsSync(join(ROOT, target)))
  known.set(path, targets)
  return targets
}
