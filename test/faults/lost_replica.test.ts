// A replica takes over that did not have every block: nothing is added to it under what was signed, and it is read from.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { createSigner } from '../../server/domain/ledger/signing_key.ts'
import { readStanding } from '../../server/domain/ledger/standing.ts'
import { acceptFork } from '../../server/domain/log/origins.ts'
import { openPublicLog, type PublicLog } from '../../server/domain/log/public_log.ts'
import { openSignedMemory, type SignedMemory } from '../../server/domain/log/signed_memory.ts'
import { createLog } from '../../server/kernel/log.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { prepareLedger } from '../../server/start/prepare_ledger.ts'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { openStore, type Store } from '../../server/store/open_store.ts'
import { withSession } from '../../server/store/session.ts'
import { readCheckpoint } from '../../shared/log/checkpoint.ts'
import { readNote } from '../../shared/log/signed_note.ts'
import { utf8 } from '../../shared/proof/bytes.ts'
import { afterwards, startedFolder, temporaryFolder, undoAll } from '../store/embedded_support.ts'
import { eventually } from '../support/http.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { openStandby, type Standby } from '../support/standby.ts'
import { openSwitchedAddress, type SwitchedAddress } from '../support/switched_address.ts'

const KEY = masterKey(TEST_MASTER_KEY)
const SETTINGS = { fsync: 'off' }

let primary: EmbeddedPostgres
let standby: Standby
let address: SwitchedAddress
let store: Store
let publicLog: PublicLog
let memory: SignedMemory
let memoryless: SignedMemory

beforeAll(async () => {
  const room = await temporaryFolder()
  const path = await startedFolder(join(room, 'primary'))
  const folder = await openDataFolder(path)
  afterwards(folder.release)
  primary = await startEmbeddedPostgres({ folder, settings: SETTINGS, log: () => undefined })
  afterwards(primary.stop)
  address = await openSwitchedAddress(primary.url)
  afterwards(address.close)
  const url = address.through(primary.url)
  store = openStore({ url, poolSize: 6 })
  afterwards(store.close)
  await prepareLedger({ url, store, masterKey: KEY, publicLog: { origin: 'localhost/log' } })
  standby = await openStandby({
    primary: { ...primary, path },
    path: join(room, 'standby'),
    name: 'second',
    settings: SETTINGS,
  })
  afterwards(standby.stop)
  memory = openSignedMemory(join(room, 'server'))
  publicLog = openServer(memory)
  memoryless = openSignedMemory(join(room, 'another server'))
})
afterAll(undoAll)

/** The public log of a server with this memory. */
function openServer(ofServer: SignedMemory): PublicLog {
  const log = createLog('info', { write: () => undefined })
  const parts = { em: () => store.em('watch'), ledger: () => store.em('ledger'), masterKey: KEY, log }
  const opened = openPublicLog({ ...parts, memory: ofServer })
  afterwards(opened.close)
  return opened
}

const finalize = async (by = publicLog) => {
  const parts = { em: store.em('ledger'), signer: createSigner({ masterKey: KEY }), publicLog: by }
  return (await finalizeBlock(parts, { intervalMs: 1 })).outcome
}
const headOf = async () => (await readStanding(store.em('read'))).head.height
const sizeOf = (note = '') => readCheckpoint(readNote(utf8(note)).text).size

/** Its connections were cut, so the first questions fail. */
const again = <T>(work: () => Promise<T>): Promise<T> => eventually(() => work().catch(() => undefined))

it('a replica that lost a block gets none, is read from, and goes on when its fork is accepted', async () => {
  expect(await finalize()).toBe('finalized')
  const head = async (url: string) =>
    withSession(
      url,
      async (session) => (await session.query('SELECT max(height) AS head FROM blocks')).rows[0].head,
    )
  await expect.poll(() => head(standby.url)).toBe(1)
  await withSession(standby.superuserUrl, async (session) => {
    await session.query(`ALTER SYSTEM SET primary_conninfo = ''`)
    await session.query('SELECT pg_reload_conf()')
  })
  const streams = () =>
    withSession(
      primary.superuserUrl,
      async (session) => (await session.query('SELECT FROM pg_stat_replication')).rowCount,
    )
  await expect.poll(streams).toBe(0)
  expect(await finalize()).toBe('finalized')
  await publicLog.look()
  expect(publicLog.shown()?.size).toBe(3)

  await primary.stop()
  address.leadTo(standby.url)
  await standby.promote()
  expect(await again(finalize)).toBe('behind')
  expect(await again(headOf)).toBe(1)
  await publicLog.look()
  expect([sizeOf(publicLog.behind()?.signed), sizeOf(publicLog.behind()?.found)]).toEqual([3, 2])
  expect(await finalize()).toBe('behind')

  // A server that starts now has seen nothing, and the first one is away.
  await publicLog.close()
  const other = openServer(memoryless)
  expect(await finalize(other)).toBe('behind')
  await other.look()
  expect(other.behind()).toEqual(publicLog.behind())
  expect(await headOf()).toBe(1)

  await acceptFork({ em: store.em(), masterKey: KEY, memory: memoryless }, { reason: 'the primary is gone' })
  expect(await finalize(other)).toBe('finalized')
  publicLog = openServer(memory)
  await publicLog.look()
  expect(publicLog.shown()).toMatchObject({ size: 3, key: { verifier: { name: 'localhost/log-2' } } })
})
