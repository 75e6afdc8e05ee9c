// Establishes what a server needs before it listens: schema, a master key that opens, genesis, a head that verifies.
import manifest from '../../package.json' with { type: 'json' }
import { loadArticles, publishArticles } from '../domain/knowledge/publish_articles.ts'
import { establishMasterKey, verifyHead } from '../domain/ledger/check_start.ts'
import { makeGenesis } from '../domain/ledger/insert_block.ts'
import { createSigner } from '../domain/ledger/signing_key.ts'
import { type LogChoices, prepareLog } from '../domain/log/origins.ts'
import { openSignedMemory } from '../domain/log/signed_memory.ts'
import { prepareRounds } from '../domain/rounds/round.ts'
import { publishEvents } from '../domain/webhooks/fan_out/publish_events.ts'
import { prepareQueue } from '../jobs/queue.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import { baseOf, type Config } from '../settings/read_settings.ts'
import { migrate, underMigrationLock } from '../store/migrate.ts'
import type { Store } from '../store/open_store.ts'

/**
 * Runs under the migration lock. Of servers that start together, one does the work and the others find it done. Every
 * step is a transaction that is safe to repeat, so the next start completes an interrupted one.
 * @param tell gets a line from time to time during long steps
 */
export function prepareLedger({
  url,
  store,
  masterKey,
  publicLog,
  tell = () => undefined,
}: {
  readonly url: string
  readonly store: Store
  readonly masterKey: MasterKey
  readonly publicLog: LogChoices
  readonly tell?: (line: string) => void
}): Promise<void> {
  return underMigrationLock(
    url,
    async (session) => {
      await migrate(session, { version: manifest.version, tell })
      await prepareQueue(session)
      const em = store.em()
      await establishMasterKey({ em, masterKey })
      await makeGenesis({ em, masterKey, signer: createSigner({ masterKey }) })
      await verifyHead(em)
      await prepareLog({ em, masterKey, tell }, publicLog)
      await prepareRounds(em)
      await publishEvents(em)
      await publishArticles(em, await loadArticles())
    },
    tell,
  )
}

export const logChoices = (config: Config): LogChoices => ({
  origin: config.logOrigin ?? `${baseOf(config).replace(/^https?:\/\//, '')}/log`,
  memory: openSignedMemory(config.dataDir),
})
