// Which entries `server/start.js` keeps compiled code for, in a copy of it with entries that only say where that is kept.
import { execFile } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

const START = join(import.meta.dirname, '..', '..', 'server', 'start.js')

let folder = ''
beforeAll(async () => {
  folder = await makeTemporaryFolder('pharos-compiled-')
})
afterAll(() => rm(folder, { recursive: true }))

async function keptFor(entry: string): Promise<string> {
  const path = join(folder, entry)
  await mkdir(dirname(path), { recursive: true })
  await mkdir(join(folder, 'server'), { recursive: true })
  await writeFile(
    path,
    `import module from 'node:module'\nconsole.log(module.getCompileCacheDir() ?? 'nowhere')`,
  )
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const start = join(folder, 'server', 'start.js')
  await cp(START, start)
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [start, entry], { env })
  return stdout.trim()
}

it.each(['server/main.ts', 'server/worker.ts', 'test/bench/run.ts'])(
  'keeps none for %s, which would be slower for as long as it lives',
  async (entry) => expect(await keptFor(entry)).toBe('nowhere'),
)

it('keeps that of a command, beside the packages', async () => {
  expect(await keptFor('server/client/pharos.ts')).toContain(
    join(folder, 'node_modules', '.cache', 'compiled'),
  )
})
