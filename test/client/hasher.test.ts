// How far hashing is, is told on a terminal, and of a file that takes long also while it is read.
import { rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { Hasher } from '../../server/client/stamp/hasher.ts'
import { paintFor, type Terminal } from '../../shared/cli/terminal.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

const folder = await makeTemporaryFolder('pharos-hasher-')
afterAll(() => rm(folder, { recursive: true, force: true }))

it('says the number of files, the bytes and the name, and takes the line away', async () => {
  const at = join(folder, 'large')
  await writeFile(at, '')
  // Of which only the length is on the disk.
  await truncate(at, 100_000_000)
  // By this clock it takes longer than the time before which nothing is told: each look at it is later than the one before.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 200
    return now
  })
  onTestFinished(() => clock.mockRestore())
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
  expect(lines[0]).toBe('1 file, 0.0 GB  large')
  expect(lines.slice(-2)).toEqual(['1 file, 0.1 GB  large', ''])
})
