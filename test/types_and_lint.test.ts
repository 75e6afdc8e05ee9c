// What the compiler and the linter find, beside the tests and not before them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

it.concurrent.each(['types', 'lint'])('npm run %s finds nothing', { timeout: 300_000 }, async (script) => {
  const run = spawn('npm', ['run', '--silent', script], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, complained, [code]] = await Promise.all([
    text(run.stdout),
    text(run.stderr),
    once(run, 'close'),
  ])
  expect(code, said + complained).toBe(0)
})
