// The ground of every measurement: its own PostgreSQL with durability on, a ledger with its first block, one
// account.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../server/domain/accounts/api_key.ts'
import type { BlockLog } from '../../server/domain/ledger/block.ts'
import { createSigner, type Signer } from '../../server/domain/ledger/signing_key.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { prepareLedger } from '../../server/start/prepare_ledger.ts'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { openStore, type Store } from '../../server/store/open_store.ts'
import { withSession } from '../../server/store/session.ts'
import { blockLog } from '../support/block_log.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { type BareSession, openBareSession } from './bare_session.ts'
import type { Started } from './started.ts'

export interface Ground {
  readonly url: string
  /** Of the servers of the measure, for what they have seen signed. */
  readonly dataDir: string
  readonly masterKeyHex: string
  readonly store: Store
  readonly signer: Signer
  readonly publicLog: BlockLog
  readonly userId: string
  readonly teamId: string
  readonly apiKey: string
  /** Runs a statement without a time limit, for preparation and baselines. */
  readonly bare: BareSession['query']
  /** What the measure starts is added here. */
  readonly started: Started
}

const MASTER_KEY_HEX = '07'.repeat(32)

export async function openGround(started: Started): Promise<Ground> {
  const path = await makeTemporaryFolder('pharos-bench-')
  started.add('the data folder', () => rm(path, { recursive: true, force: true, maxRetries: 3 }))
  const folder = await openDataFolder(join(path, 'data'))
  started.add('the lock of the data folder', folder.release)
  const postgres = await startEmbeddedPostgres({ folder, log: () => undefined })
  started.add('the database', postgres.stop)
  await allowPreparation(postgres)
  const key = masterKey(Buffer.from(MASTER_KEY_HEX, 'hex'))
  const store = openStore({ url: postgres.url, poolSize: 12 })
  started.add('the connections to the database', store.close)
  const signer = createSigner({ masterKey: key })
  await prepareLedger({ url: postgres.url, store, masterKey: key, publicLog: { origin: 'localhost/log' } })
  const account = { email: 'bench@example.com', firstName: 'Bench', plan: 'enterprise' } as const
  const { userId, teamId } = await createAccount(store.em(), account)
  const { secret } = await createApiKey(store.em(), { userId, name: 'bench' })
  const bare = await openBareSession(postgres.url)
  started.add('the bare session', bare.close)
  return {
    url: postgres.url,
    dataDir: join(path, 'server'),
    masterKeyHex: MASTER_KEY_HEX,
    store,
    signer,
    publicLog: blockLog(key),
    userId,
    teamId,
    apiKey: secret,
    bare: bare.query,
    started,
  }
}

/** Baselines copy through programs and begin after a checkpoint. A preparation need not wait for the disk. */
const allowPreparation = ({ superuserUrl, url }: EmbeddedPostgres): Promise<unknown> =>
  withSession(Object.assign(new URL(superuserUrl), { pathname: new URL(url).pathname }).href, (session) =>
    session.query(
      `GRANT pg_checkpoint, pg_execute_server_program TO pharos;
       GRANT ALTER SYSTEM ON PARAMETER synchronous_commit TO pharos;
       GRANT EXECUTE ON FUNCTION pg_reload_conf() TO pharos`,
    ),
  )
