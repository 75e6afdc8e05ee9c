// How far hashing is, is told on a terminal, and of a file that takes long also while it is read.
import { rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Hasher } from '../../server/client/stamp/hasher.ts'
import { paintFor, type Terminal } from '../../shared/cli/terminal.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

const folder = await makeTemporaryFolder('pharos-hasher-')
afterAll(() => rm(folder, { recursive: true, force: true }))

it('says the number of files, the bytes and the name, and takes the line away', async () => {
  const at = join(folder, 'large')
  await writeFile(at, '')
  // Of which only the length is on the disk. It takes longer than the time before which nothing is told.
  await truncate(at, 2_000_000_000)
  const lines: string[] = []
  const terminal: Terminal = {
    say: () => undefined,
    write: () => undefined,
    note: () => undefined,
    progress: (line) => void lines.push(line),
    paint: paintFor({}, {}),
  }
  const hasher = new Hasher(terminal)
  await hasher.hash({ path: 'large', at })
  hasher.end()
  expect(lines[0]).toMatch(/^1 file, \d\.\d GB {2}large$/)
  expect(lines.at(-1)).toBe('')
})
