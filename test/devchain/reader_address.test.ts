// Other programs on the machine find the development chain while it runs, with an address that may only read.
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Installation } from '../../server/commands/command.ts'
import { DEVCHAIN_COMMANDS } from '../../server/commands/devchain.ts'
import { answeringReader } from '../../server/devchain/reader_address.ts'
import { startDevchain } from '../../server/devchain/start_devchain.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { clientOf, NEVER_MS, openTestNode, type TestNode } from './open_node.ts'

let node: TestNode
let dataDir: string
const running: TestNode['chain'][] = []
const logged: string[] = []
beforeAll(async () => {
  node = await openTestNode()
  dataDir = await makeTemporaryFolder('pharos-devchain-')
})
afterAll(async () => {
  for (const one of running) await one.close()
  await node?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const start = async (folder = dataDir): Promise<TestNode['chain']> => {
  const log = pino({ base: null }, { write: (line: string) => void logged.push(line) })
  const collaborators = { store: node.store, masterKey: masterKey(TEST_MASTER_KEY), log }
  const chain = await startDevchain(collaborators, { mineAfterMs: NEVER_MS, dataDir: folder })
  running.push(chain)
  return chain
}
const files = () => readdir(join(dataDir, 'devchain'))

/** What `pharos devchain url` prints. */
async function printed(): Promise<string> {
  const lines: string[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text))
    return true
  })
  const nothing = async () => Promise.reject(new Error('It needs no database.'))
  const installation: Installation = {
    ...{ version: '0', dataDir, databaseIsNamed: true, masterKey: undefined },
    ...{ tell: () => undefined, reach: nothing, prepare: nothing },
  }
  try {
    await DEVCHAIN_COMMANDS['devchain url']?.runOn(installation, {}, [])
  } finally {
    spy.mockRestore()
  }
  return lines.join('')
}

describe('devchain url', () => {
  it('prints the address while a node runs, which this account alone may read, and says so when none does', async () => {
    await expect(printed()).rejects.toThrow('No development chain runs')
    const chain = await start()
    expect(await printed()).toBe(`${chain.readerUrl}\n`)
    expect(await clientOf((await printed()).trim())('getblockcount')).toBe(119)
    const [file = ''] = await files()
    expect((await stat(join(dataDir, 'devchain', file))).mode & 0o777).toBe(0o600)
    await chain.close()
    expect(await files()).toEqual([])
    await expect(printed()).rejects.toThrow('No development chain runs')
  })

  it('prints that of the newest of several nodes, and that of another once it is gone', async () => {
    const [first, second] = [await start(), await start()]
    const urls = [first.readerUrl, second.readerUrl]
    const newest = (await printed()).trim()
    expect(urls).toContain(newest)
    await running.find(({ readerUrl }) => readerUrl === newest)?.close()
    expect(await printed()).toBe(`${urls.find((url) => url !== newest)}\n`)
    await Promise.all([first.close(), second.close()])
  })

  it('does without what killed nodes left behind, and deletes it', async () => {
    const chain = await start()
    const { port } = new URL(chain.readerUrl)
    const folder = join(dataDir, 'devchain')
    // Nothing listens there.
    await writeFile(join(folder, '1.url'), 'http://reader:x@127.0.0.1:1/')
    // Another start has the port.
    await writeFile(join(folder, '2.url'), `http://reader:old@127.0.0.1:${port}/`)
    await writeFile(join(folder, '3.url'), '')
    await writeFile(join(folder, 'notes.txt'), 'http://127.0.0.1:1/')
    expect(await answeringReader(dataDir)).toBe(chain.readerUrl)
    expect((await files()).toSorted()).toEqual(['3.url', `${port}.url`, 'notes.txt'].toSorted())
    const again = await start()
    expect(await readFile(join(folder, `${new URL(again.readerUrl).port}.url`), 'utf8')).toBe(again.readerUrl)
    await Promise.all([chain.close(), again.close()])
  })

  it('costs no start: a node runs where it may not write', async () => {
    const file = join(dataDir, 'a_file')
    await mkdir(dataDir, { recursive: true })
    await writeFile(file, '')
    const chain = await start(file)
    expect(await clientOf(chain.readerUrl)('getblockcount')).toBe(119)
    expect(logged.join('')).toContain('development_chain.not_announced')
    expect(logged.join('')).not.toContain(new URL(chain.readerUrl).password)
  })
})
