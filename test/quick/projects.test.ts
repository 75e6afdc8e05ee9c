// Every test file is in one project, by what it imports; a quick run takes those that are nearest to a change.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importedBy, testFiles } from '../support/projects.ts'
import { nearestTests } from './nearest_tests.ts'

const files = testFiles()

describe('every test file', () => {
  it('is in exactly one project', () => {
    const there = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `test/${name}`)
    expect(Object.values(files).flat().sort()).toEqual(there.sort())
  })

  it('is in the project of what it needs', () => {
    expect(files.unit).toContain('test/quick/projects.test.ts')
    expect(files.unit).toContain('test/floors.test.ts')
    expect(files.database).toContain('test/domain/webhooks/fan_out.test.ts')
    expect(files.browser).toContain('test/browser/item_page.test.ts')
    expect(files.soak).toContain('test/faults/hostile_caller.test.ts')
  })

  it('without a database reaches nothing that opens one', () => {
    const opens = files.unit.filter((file) => importedBy(file).has('server/store/migrate.ts'))
    expect(opens).toEqual([])
  })
})

describe('a quick run', () => {
  it('begins with the test that was changed, goes on with those of the room, and leaves out what is not touched', () => {
    const changed = ['server/domain/webhooks/fan_out/fan_out.ts', 'test/jobs/one_block_per_boundary.test.ts']
    const near = nearestTests(files.database, changed)
    expect(near[0]).toBe('test/jobs/one_block_per_boundary.test.ts')
    expect(near[1]).toMatch(/^test\/domain\/webhooks\//)
    expect(near).toContain('test/surfaces/jsonapi/webhook_endpoint.test.ts')
    expect(near).not.toContain('test/domain/entropy/capture_entropy.test.ts')
  })
})
