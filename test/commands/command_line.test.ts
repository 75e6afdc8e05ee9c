// The operator commands as a shell meets them: exit codes, and a reader that goes away.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..', '..')
const open = (...words: readonly string[]) =>
  spawn(process.execPath, ['server/start.js', 'server/cli.ts', ...words], {
    cwd: ROOT,
    // Nothing of the tester's own settings.
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
/** Its exit code, and what it says on standard error. */
const run = async (words: readonly string[], input = ''): Promise<[code: number | null, said: string]> => {
  const command = open(...words)
  command.stdin.on('error', () => undefined)
  command.stdin.end(input)
  const [said, [code]] = await Promise.all([text(command.stderr), once(command, 'close')])
  return [code, said]
}

it.each([['doctor', '--bogus'], ['audit', 'everything'], ['no-such-command']])(
  'what is wrongly asked ends with 2, and not with what is said of an installation: %s %s',
  async (...words) => {
    expect(await run(words)).toEqual([2, expect.stringMatching(/npm run pharos -- (help|\w+ --help)/)])
  },
)

describe('a new master key', () => {
  const KEY = 'ab'.repeat(32)

  it('is asked for with what to type, before anything is opened', async () => {
    expect(await run(['key', 'rewrap'])).toEqual([
      2,
      '--master-key-file is required.\nnpm run pharos -- key rewrap --help\n',
    ])
  })

  it('is no word of a command', async () => {
    const [code, said] = await run(['key', 'rewrap', '--to', KEY])
    expect([code, said]).toEqual([2, expect.stringMatching(/no word of a command.*\n.*--master-key-file/)])
    expect(said).not.toContain(KEY)
  })

  it.each([
    ['a file that is not there', ['/no/such/file'], '', 'ENOENT'],
    ['standard input that ends', ['-'], '', 'Standard input holds no master key'],
    ['standard input with something else', ['-'], KEY.slice(1), 'Standard input holds no master key'],
  ])('does not come from %s', async (_, [file = ''], input, told) => {
    expect(await run(['key', 'rewrap', '--master-key-file', file], input)).toEqual([
      2,
      expect.stringMatching(new RegExp(`${told}.*Nothing was changed`)),
    ])
  })
})

it('a reader that goes away early breaks nothing', async () => {
  const command = open('--help')
  command.stdout.destroy()
  const [said, [code]] = await Promise.all([text(command.stderr), once(command, 'close')])
  expect([code, said]).toEqual([0, ''])
})
