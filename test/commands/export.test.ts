// The log is written as files that anybody can check: the same from every server, in whole or not at all.
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseSource } from '../../server/commands/log.ts'
import { openCopyFolder } from '../../server/commands/log_copy/copy_folder.ts'
import { type CopySource, writeCopy } from '../../server/commands/log_copy/write_copy.ts'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { rotateKey } from '../../server/domain/ledger/signing_key.ts'
import { servedLog } from '../../server/service/public_log.ts'
import { epochPath, SERIES_FOLDERS } from '../../shared/log/copy_files.ts'
import { readRoot } from '../../shared/log/tiles.ts'
import { type Desk, openDesk } from '../client/run_pharos.ts'
import { look, nextSlot, visit } from '../domain/commitments/committing.ts'
import { type BitcoinGround, openBitcoinGround } from '../support/chains/bitcoin_ground.ts'
import { modelChain } from '../support/chains/model_chain.ts'
import { openTestLedger, type TestLedger } from '../support/ledger.ts'
import { makeLogKey } from '../support/log_copy.ts'
import { serveFolder } from '../support/static_server.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

let ledger: TestLedger
let bitcoin: BitcoinGround
let room: string
let desk: Desk
let size = 1
const logKey = makeLogKey('pharos.example/log')

const place = (name: string): string => join(room, name)

const grow = async (blocks: number): Promise<void> => {
  for (const end = size + blocks; size < end; ) {
    const made = await ledger.finalize()
    if (made.outcome === 'finalized') size = made.height + 1
  }
}

/** The log up to a size, with a checkpoint by a key of the test. */
const sourceAt = (at: number, more: Partial<CopySource> = {}): CopySource => {
  const source = databaseSource({ em: ledger.store.em() })
  const shown = async () => ({
    size: at,
    note: logKey.note({ size: at, root: await readRoot(source.readTiles, at) }),
  })
  return { ...source, shown, ...more }
}

const exportTo = async (name: string, source: CopySource, keepsEarlier = false): Promise<void> => {
  const folder = await openCopyFolder(place(name))
  await writeCopy(source, folder, { keepsEarlier }).finally(folder.close)
}

/** All files by their paths, as base64. */
async function contents(name: string): Promise<Record<string, string>> {
  const files = await readdir(place(name), { recursive: true, withFileTypes: true })
  const read = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name: last }): Promise<[string, string]> => {
      const path = join(parentPath, last)
      return [relative(place(name), path), await readFile(path, 'base64')]
    })
  return Object.fromEntries((await Promise.all(read)).sort(([a], [b]) => (a < b ? -1 : 1)))
}

beforeAll(async () => {
  room = await makeTemporaryFolder('pharos-export-')
  ;[ledger, bitcoin, desk] = await Promise.all([openTestLedger(), openBitcoinGround(), openDesk()])
  const stellar = modelChain('stellar', 'testnet')
  await ledger.submit({ claims: submittedClaims({ name: 'SecretName', description: 'x'.repeat(40) }) })
  for (let epoch = 0; epoch < 3; epoch += 1) {
    await grow(2)
    await nextSlot(ledger.store)
    for (const chain of [bitcoin.chain, stellar]) await visit(ledger.store, chain)
    await bitcoin.control.mine(1)
    stellar.mine()
    for (const chain of epoch < 2 ? [bitcoin.chain, stellar] : [bitcoin.chain])
      await look(ledger.store, chain)
  }
  await rotateKey({ em: ledger.store.em(), masterKey: ledger.masterKey }, { emergency: false })
  await grow(262 - size)
}, 120_000)
afterAll(async () => {
  await bitcoin.close()
  await ledger.close()
  await desk.clear()
  await rm(room, { recursive: true, force: true })
})

describe('an export', () => {
  it('has the layout of the log, the keyring and the epochs, and nothing about items and people', async () => {
    await exportTo('whole', sourceAt(262))
    const files = await contents('whole')
    expect(Object.keys(files)).toEqual([
      'checkpoint',
      ...[0, 1, 2].map((sequence) => `epochs/bitcoin/${sequence}.json`),
      ...[0, 1, 2].map((sequence) => `epochs/stellar/${sequence}.json`),
      'keyring.json',
      'tile/0/000',
      'tile/0/001.p/6',
      'tile/1/000.p/1',
      'tile/entries/000',
      'tile/entries/001.p/6',
    ])
    const text = Object.values(files).map((file) => Buffer.from(file, 'base64').toString('latin1'))
    for (const word of ['SecretName', 'ada@example.com', ledger.userId, ledger.teamId])
      expect(text.filter((file) => file.includes(word))).toEqual([])
  })

  it('has the keyring and the epochs that a server answers at the same size, and no others', async () => {
    const served = servedLog({
      em: () => ledger.store.em(),
      publicLog: { shown: () => undefined, look: async () => undefined },
      witnessing: undefined,
      base: () => 'https://pharos.example',
    })
    for (const at of [1, 4, 5, 258, size]) {
      const name = `beside-${at}`
      await exportTo(name, sourceAt(at))
      const answered: [string, Uint8Array | undefined][] = [['keyring.json', await served.keyring(at)]]
      for (const folder of SERIES_FOLDERS)
        for (let sequence = 0; sequence < 4; sequence += 1)
          answered.push([epochPath(folder, sequence), await served.epoch({ folder, sequence }, at)])
      const found = answered.flatMap(([path, bytes]) =>
        bytes === undefined ? [] : [[path, Buffer.from(bytes).toString('base64')]],
      )
      const written = Object.entries(await contents(name)).filter(([path]) => path.endsWith('.json'))
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(written))
    }
  })

  it('passes an audit behind a plain server of files', async () => {
    const server = await serveFolder(place('whole'))
    const ran = await desk.pharos(['audit', '--from', server.address, '--key', logKey.verifierKey, '--json'])
    await server.close()
    expect(JSON.parse(ran.out)).toMatchObject({
      passed: true,
      blocks: 262,
      keys: 2,
      epochs: [
        { folder: 'epochs/bitcoin', epochs: 3, confirmed: 3 },
        { folder: 'epochs/stellar', epochs: 3, confirmed: 2 },
      ],
    })
  })

  it('goes on where it was, and is then the same as one made at once', async () => {
    await cp(place('whole'), place('followed'), { recursive: true })
    const { ino } = await stat(join(place('followed'), 'tile/0/000'))
    await grow(3)
    await exportTo('followed', sourceAt(264), true)
    expect(Object.keys(await contents('followed'))).toContain('tile/0/001.p/6')
    await exportTo('followed', sourceAt(265))
    await exportTo('fresh', sourceAt(265))
    expect(await contents('followed')).toEqual(await contents('fresh'))
    expect((await stat(join(place('followed'), 'tile/0/000'))).ino).toBe(ino)
  })

  it('is refused while another one writes to the folder, which is not disturbed', async () => {
    const first = await openCopyFolder(place('contested'))
    await expect(exportTo('contested', sourceAt(265))).rejects.toThrow('Another export writes to')
    await writeCopy(sourceAt(265), first).finally(first.close)
    expect(await contents('contested')).toEqual(await contents('fresh'))
    expect(await readdir(place('contested'))).not.toContain('.unfinished')
  })

  it('to what is no folder says so', async () => {
    await writeFile(place('a file'), 'in the way')
    await expect(exportTo('a file', sourceAt(265))).rejects.toThrow(
      /a file cannot be written \(.*\)\. Name another/,
    )
    expect(await readFile(place('a file'), 'utf8')).toBe('in the way')
  })

  it('that is interrupted has no checkpoint that it does not hold, and is finished later', async () => {
    const broken = sourceAt(265, {
      readEntries: () => Promise.reject(new Error('the connection is gone')),
    })
    await expect(exportTo('broken', broken)).rejects.toThrow('the connection is gone')
    expect(Object.keys(await contents('broken'))).not.toContain('checkpoint')
    await exportTo('broken', sourceAt(265))
    expect(await contents('broken')).toEqual(await contents('fresh'))
  })

  it('does not mix two histories', async () => {
    const before = await contents('fresh')
    const older = sourceAt(200)
    await expect(exportTo('fresh', older)).rejects.toThrow('Name an empty folder')
    expect(await contents('fresh')).toEqual(before)
  })
})
