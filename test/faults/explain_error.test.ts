// The message of a failed start: what happened and what to do. A stack is printed only for defects of the
// program.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { environment } from '../../server/settings/read_settings.ts'
import { explainError } from '../../server/start/explain_error.ts'
import { temporaryFolder, undoAfterEach } from '../store/embedded_support.ts'

undoAfterEach()

const faultOf = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error) => error,
  )

it('a full disk is called that', async () => {
  const full = await faultOf(() => writeFile('/dev/full', 'x'))
  expect(explainError(full)).toMatch(/^ENOSPC: .*\nThe disk is full: make room/)
})

it('a full disk of the database, wrapped by the driver, is called that', () => {
  const state = Object.assign(new Error('could not extend file "base/1/2": No space left on device'), {
    code: '53100',
  })
  const wrapped = Object.assign(new Error(`insert - ${state.message}`, { cause: state }), {
    name: 'DriverException',
  })
  expect(explainError(wrapped)).toMatch(/No space left on device\nThe disk of the database is full/)
})

it('what was explained where it happened is said as it is', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(explainError(new Error('Check that it runs.', { cause: refused }))).toBe('Check that it runs.')
})

it('a bug of ours comes with its place', () => {
  expect(explainError(new TypeError('x is not a function'))).toContain('explain_error.test.ts')
  expect(explainError(new Error('expected'))).toBe('expected')
})

it('a .env that cannot be read is a mistake of the configuration', async () => {
  const root = await temporaryFolder()
  await mkdir(join(root, '.env'))
  expect(() => environment(root)).toThrow(/^The configuration is wrong:\n {2}.*\.env cannot be read: /)
})
