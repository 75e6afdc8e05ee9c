// The operator commands as a shell meets them: exit codes, and a reader that goes away.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..', '..')
const open = (...words: readonly string[]) =>
  spawn(process.execPath, ['server/start.js', 'server/cli.ts', ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

it.each([['doctor', '--bogus'], ['audit', 'everything'], ['no-such-command']])(
  'what is wrongly asked ends with 2, and not with what is said of an installation: %s %s',
  async (...words) => {
    const command = open(...words)
    const [said, [code]] = await Promise.all([text(command.stderr), once(command, 'close')])
    expect([code, said]).toEqual([2, expect.stringMatching(/npm run pharos -- (help|\w+ --help)/)])
  },
)

it('a reader that goes away early breaks nothing', async () => {
  const command = open('--help')
  command.stdout.destroy()
  const [said, [code]] = await Promise.all([text(command.stderr), once(command, 'close')])
  expect([code, said]).toEqual([0, ''])
})
