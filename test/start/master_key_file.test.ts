// A master key in the data folder can be changed, and whoever is killed on the way finds the one that opens the keys.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { rewrapSecrets } from '../../server/commands/key.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { changeMasterKey, findMasterKey, openMasterKey } from '../../server/start/open_database.ts'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { afterwards, temporaryFolder, undoAfterEach } from '../store/embedded_support.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { freshLedger } from '../support/test_ledger.ts'

undoAfterEach()

const OLD = TEST_MASTER_KEY
const NEW = Buffer.alloc(32, 9)
const OTHER = Buffer.alloc(32, 8)

const ledger = freshLedger()
let path: string
beforeEach(async () => {
  path = join(await temporaryFolder(), '.data')
  const folder = await openDataFolder(path)
  await folder.release()
  await writeFile(join(path, 'master_key'), `${OLD.toString('hex')}\n`, { mode: 0o600 })
})

const rewrap = (to: Buffer, from = OLD) =>
  rewrapSecrets({ em: ledger.store.em(), from: masterKey(from), to: masterKey(to) })
const kept = async (): Promise<string> => (await readFile(join(path, 'master_key'), 'utf8')).trim()
const keyFiles = async (): Promise<string[]> =>
  (await readdir(path)).filter((name) => name.startsWith('master_key'))
/** As the next start of the server, which holds the folder, or a command beside it. */
const started = async () => {
  const folder = await openDataFolder(path)
  afterwards(folder.release)
  try {
    return await openMasterKey(folder, ledger.database.url)
  } finally {
    await folder.release()
  }
}
const beside = async () => (await findMasterKey(path, ledger.database.url)).key

describe('changing the master key', () => {
  it('leaves one file, private, with the key that opens', async () => {
    expect(await started()).toEqual(OLD)
    expect((await changeMasterKey(path, NEW, () => rewrap(NEW))).sealed?.get('signing_keys')).toBe(2)
    expect([await keyFiles(), await kept()]).toEqual([['master_key'], NEW.toString('hex')])
    expect((await stat(join(path, 'master_key'))).mode & 0o777).toBe(0o600)
    expect([await beside(), await started()]).toEqual([NEW, NEW])
  })

  it('has the new key on disk before anything is sealed under it', async () => {
    await changeMasterKey(path, NEW, async () => {
      const [next = ''] = (await keyFiles()).filter((name) => name !== 'master_key')
      expect((await readFile(join(path, next), 'utf8')).trim()).toBe(NEW.toString('hex'))
      expect(await kept()).toBe(OLD.toString('hex'))
    })
  })

  it.each([
    ['before the commit', OLD, async (): Promise<unknown> => undefined],
    ['after the commit', NEW, (): Promise<unknown> => rewrap(NEW)],
  ] as const)(
    'cut short %s: the key that opens is found, and the next start tidies up',
    async (_, key, work) => {
      const cutShort = new Error('killed')
      const change = changeMasterKey(path, NEW, async () => {
        await work()
        throw cutShort
      })
      await expect(change).rejects.toBe(cutShort)
      expect(await keyFiles()).toHaveLength(2)
      expect(await beside()).toEqual(key)
      expect(await keyFiles()).toHaveLength(2)
      expect(await started()).toEqual(key)
      expect([await keyFiles(), await kept()]).toEqual([['master_key'], key.toString('hex')])
      expect((await stat(join(path, 'master_key'))).mode & 0o777).toBe(0o600)
    },
  )

  it('by two at once is done by one of them, and no key is lost', async () => {
    const results = await Promise.allSettled(
      [NEW, OTHER].map((to) => changeMasterKey(path, to, () => rewrap(to))),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'master_key_changed' },
    })
    const winner = results[0]?.status === 'fulfilled' ? NEW : OTHER
    expect([await beside(), await started()]).toEqual([winner, winner])
    expect(await keyFiles()).toEqual(['master_key'])
  })

  it('says so when no file opens the keys', async () => {
    await rewrap(NEW)
    const change = changeMasterKey(path, OTHER, async () => {
      throw new Error('killed')
    })
    await expect(change).rejects.toThrow('killed')
    await expect(started()).rejects.toThrow(/opens the signing keys/)
    await expect(beside()).rejects.toThrow(/opens the signing keys/)
    expect(await keyFiles()).toHaveLength(2)
  })
})
