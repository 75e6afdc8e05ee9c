// Golden files: what we publish, committed. A difference fails the test; UPDATE_GOLDEN=1 writes it down instead.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..', '..', '..')

/** @param renewal what makes the file anew */
export const expectGolden = (name: string, text: string, renewal?: string): void =>
  expectCommitted(join('test', 'golden', name), text, renewal)

/** The same for a file anywhere in the project that is made from something else. */
export function expectCommitted(name: string, text: string, renewal = 'npm run golden'): void {
  const path = join(ROOT, name)
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  expect(text, `${renewal} renews ${name}`).toBe(existsSync(path) ? readFileSync(path, 'utf8') : undefined)
}
