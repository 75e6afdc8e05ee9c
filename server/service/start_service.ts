// The service as a process starts it: its database, its ledger, what happens by itself, its ways in, in one process or
// with workers, and the first account. And its end, in order.
import { join } from 'node:path'
import { ACCOUNT_CHANNEL } from '../domain/accounts/account_cache.ts'
import { BLOCK_CHANNEL } from '../domain/ledger/insert_block.ts'
import { type Ceilings, mostOpenFiles, openFilesFor } from '../kernel/ceilings.ts'
import type { Repeating } from '../kernel/flow/repeat.ts'
import type { Log } from '../kernel/log.ts'
import { createMetrics } from '../kernel/metrics.ts'
import type { Config } from '../settings/read_settings.ts'
import { introduce, makeFirstAccount, watchFirstStartFile } from '../start/first_account.ts'
import { type OpenDatabase, openDatabase, storeOptions } from '../start/open_database.ts'
import { logChoices, prepareLedger } from '../start/prepare_ledger.ts'
import { openStore, type Replica, type Store } from '../store/open_store.ts'
import type { Half } from '../store/purposes.ts'
import { tryPort } from '../surfaces/http/http_server.ts'
import { observeDisk } from '../watch/gauges.ts'
import { type StartWorkers, startWorkers } from '../workers/start_workers.ts'
import { type AppOptions, appOptions, configuredReplica } from './app_options.ts'
import { startClockwork } from './clockwork.ts'
import { openCommonParts } from './common_parts.ts'
import { openRequestServices } from './request_services.ts'
import { buildWaysIn } from './ways_in.ts'

export interface App {
  /** The public origin, e.g. `http://localhost:4000`. */
  readonly base: string
  /**
   * The first step of a stop: `/health/ready` fails, so that load balancers route elsewhere. Requests are still
   * answered.
   */
  readonly withdraw: () => void
  readonly close: () => Promise<void>
}

/**
 * A server in this process, or only its ways in, for a worker. The schema must be up to date and genesis must exist:
 * see `prepare_ledger.ts`. The server listens when this returns.
 */
export async function startApp(options: AppOptions, half: Exclude<Half, 'clockwork'> = 'both'): Promise<App> {
  const common = await openCommonParts(options)
  const behind = await openRequestServices(options, common, () => waysIn.base())
  const waysIn = await buildWaysIn(options, behind)
  const { accounts, feed, deliveries, pullWaits, rounds } = behind
  const { consoleStream } = waysIn
  common.notices.hear({
    onNotice: (channel) => {
      if (channel === ACCOUNT_CHANNEL) {
        accounts.clear()
        return waysIn.checkCredentials()
      }
      if (channel === BLOCK_CHANNEL) void feed.refresh()
      consoleStream.facts.poke()
      deliveries.poke()
      pullWaits.poke()
    },
    onConnect: () => {
      accounts.clear()
      waysIn.checkCredentials()
      void feed.refresh()
      consoleStream.facts.poke()
    },
  })
  common.notices.start()
  await feed.start()
  const clockwork = half === 'both' ? await startClockwork(options, common) : undefined
  return Object.freeze({
    base: await waysIn.open(),
    withdraw: () => {
      // Whoever waits asks again, and is answered by another server.
      pullWaits.end()
      waysIn.withdraw()
    },
    close: async () => {
      // Closes the ways in first, then the clockwork, then what both use.
      pullWaits.end()
      // Rounds close at once, because a request that is under way has less time than a round may take.
      await Promise.all([waysIn.close(), rounds.close()])
      await behind.close()
      await clockwork?.close()
      await common.close()
    },
  })
}

/** The clockwork in this process, and workers beside it with the ways in. */
async function startTogether(
  options: AppOptions,
  { masterKeyBytes, ...how }: Omit<StartWorkers, 'beginning'> & { readonly masterKeyBytes: Uint8Array },
): Promise<App> {
  const common = await openCommonParts(options)
  const clockwork = await startClockwork(options, common)
  common.notices.start()
  const closeBoth = async (): Promise<void> => {
    await clockwork.close()
    await common.close()
  }
  const beginning = {
    databaseUrl: options.databaseUrl,
    listenDatabaseUrl: options.listenDatabaseUrl,
    masterKeyHex: Buffer.from(masterKeyBytes).toString('hex'),
    embeddedNode: common.embeddedNode,
  }
  const workers = await startWorkers({ ...how, beginning }).catch(async (error: unknown) => {
    await closeBoth()
    throw error
  })
  return Object.freeze({
    ...workers,
    close: async () => {
      await workers.close()
      await closeBoth()
    },
  })
}

/** What is closed at the end, in this order. Filled during the start. */
export interface Opened {
  firstStartFile?: Repeating
  app?: App
  replica?: Replica | undefined
  store?: Store
  database?: OpenDatabase
  /** Ends the traces, and sends those that wait. */
  traces?: () => Promise<void>
}

/** Fills `opened` step by step. What was opened when a step fails is closed by `closeService`, too. */
export async function startService(
  opened: Opened,
  {
    config,
    log,
    say,
    throwIfStopped,
  }: {
    readonly config: Config
    readonly log: Log
    readonly say: (line: string) => void
    /** @throws when a stop was requested */
    readonly throwIfStopped: () => void
  },
): Promise<void> {
  // Nothing of them is loaded where no collector is named: it would cost time and memory.
  if (config.traces !== undefined)
    opened.traces = (await import('../watch/traces.ts')).startTracing(config.traces)
  // Listens first, so that a port that is in use leaves no half-started service behind.
  await tryPort(config.host, config.port)
  throwIfStopped()
  opened.database = await openDatabase(config, say)
  const metrics = createMetrics({ withProcess: true })
  opened.database.onTrouble?.((why) => {
    if (why !== undefined) return log.error({ why }, 'database.ended')
    metrics.count('pharos_embedded_database_restarts_total', {})
    log.info('database.runs_again')
  })
  const { trouble, onTrouble } = opened.database
  const { url, listenUrl, masterKey } = opened.database
  throwIfStopped()
  const store = openStore({ url, ...storeOptions(config, 'clockwork') })
  opened.store = store
  await prepareLedger({ url: listenUrl, store, masterKey, publicLog: logChoices(config), tell: say })
  throwIfStopped()
  if (config.databaseUrl === undefined) observeDisk(metrics, config.dataDir)
  if (config.workers === 1) opened.replica = configuredReplica(config, { store, metrics, log })
  const wanted = appOptions(config, {
    ...{ databaseUrl: url, listenDatabaseUrl: listenUrl, masterKey, store, metrics, log },
    replica: opened.replica,
    ...(trouble === undefined ? {} : { databaseTrouble: trouble }),
  })
  opened.app =
    config.workers === 1
      ? await startApp(wanted)
      : await startTogether(wanted, {
          ...{ count: config.workers, log, throwIfStopped, metrics },
          ...(onTrouble === undefined ? {} : { onDatabaseTrouble: onTrouble }),
          masterKeyBytes: opened.database.masterKeyBytes,
          program: [join(import.meta.dirname, '..', 'start.js'), 'server/worker.ts'],
        })
  warnOfOpenFiles(config, wanted.ceilings, log)
  const { allow } = config.webhooks
  if (allow.size > 0) log.warn({ ranges: allow.size }, 'webhooks.private_addresses_allowed')
  throwIfStopped()
  const { base } = opened.app
  await opened.database.announce(base)
  log.info({ base, block_interval_ms: config.blockIntervalMs }, 'service.ready')
  say(`Pharos answers at ${base} (a block every ${config.blockIntervalMs / 1_000} s)`)
  await makeFirstAccount(store.em(), (first) =>
    introduce(first, { base, dataDir: config.dataDir, isTerminal: process.stderr.isTTY === true, say }),
  )
  opened.firstStartFile = watchFirstStartFile({ em: () => store.em(), dataDir: config.dataDir, log })
}

function warnOfOpenFiles({ ceilings: set }: Config, { connections }: Ceilings, log: Log): void {
  if (connections === set.connections) return
  const advice = `Raise the limit of open files to ${openFilesFor(set.connections)} (ulimit -n, LimitNOFILE), or lower LIMIT_CONNECTIONS.`
  log.warn(
    { connections, setting: set.connections, open_files: mostOpenFiles(), advice },
    'connections.limited_by_open_files',
  )
}

export async function closeService(opened: Opened, log: Log): Promise<void> {
  for (const [name, close] of [
    ['first start file', opened.firstStartFile?.stop],
    ['app', opened.app?.close],
    ['replica', opened.replica?.close],
    ['store', opened.store?.close],
    ['database', opened.database?.close],
    ['traces', opened.traces],
  ] as const)
    await close?.().catch((err: unknown) => log.error({ err, name }, 'service.stop_failed'))
}
