// Golden files: what we publish, committed. A difference fails the test; UPDATE_GOLDEN=1 writes it down instead.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

const FOLDER = join(import.meta.dirname, '..', '..', 'golden')

export function expectGolden(name: string, text: string): void {
  const path = join(FOLDER, name)
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, text)
  expect(text, `UPDATE_GOLDEN=1 renews test/golden/${name}`).toBe(readFileSync(path, 'utf8'))
}
