// Starts the service, handles signals, and stops it gracefully.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type App, startApp } from './app.ts'
import { appOptions, configuredReplica, logChoices, storeOptions } from './app_of_config.ts'
import { type Config, environment, maskedSettings, readConfig, unknownNames } from './config.ts'
import { entities } from './entities.ts'
import { explainError } from './explain_error.ts'
import { makeFirstAccount } from './first_account.ts'
import { watchFirstStartFile } from './first_start_file.ts'
import { introduce } from './introduce.ts'
import { createLog, type Log } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import type { Repeating } from './kernel/repeat.ts'
import { type OpenDatabase, openDatabase } from './open_database.ts'
import { openTraces } from './open_traces.ts'
import { prepareLedger } from './prepare_ledger.ts'
import { observeDisk } from './process_gauges.ts'
import { startTogether } from './start_together.ts'
import { openStore, type Store } from './store/open_store.ts'
import type { Replica } from './store/replica.ts'
import { tryPort } from './surfaces/http/http_server.ts'

const ROOT = join(import.meta.dirname, '..')

/** A longer stop is cut short, not counting its delay. A supervisor would kill the process otherwise. */
const STOP_CEILING_MS = 7_500

/** What is closed at the end, in this order. Filled during the start. */
interface Opened {
  firstStartFile?: Repeating
  app?: App
  replica?: Replica | undefined
  store?: Store
  database?: OpenDatabase
  /** Ends the traces, and sends those that wait. */
  traces?: () => Promise<void>
}

interface Tools {
  readonly config: Config
  readonly log: Log
  readonly say: (line: string) => void
  /** @throws when a stop was requested */
  readonly goOn: () => void
}

async function main(): Promise<void> {
  const config = readConfig(environment(ROOT), ROOT)
  const log = createLog(config.logLevel)
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  log.info(
    { settings: maskedSettings(process.env), node: process.version, pid: process.pid },
    'service.starting',
  )
  for (const name of unknownNames(ROOT))
    say(`${name} in .env is no setting and is not read: see deploy/CONFIGURATION.md for how it is spelt.`)
  const opened: Opened = {}
  const started = Promise.withResolvers<void>()
  const hurry = new AbortController()
  let stopping: Promise<void> | undefined
  const stop = (reason: string, code: number, delayMs = 0): void => {
    stopping ??= shutDown(
      { opened, started: started.promise, log, hurry: hurry.signal },
      { reason, code, delayMs },
    )
  }
  // A load balancer needs time to notice the stop. Whoever stops it from the terminal waits for nobody, also when a
  // stop with its delay is under way.
  process.on('SIGINT', () => {
    hurry.abort()
    stop('SIGINT', 0)
  })
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop(signal, 0, config.stopDelayMs))
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'service.fault')
    stop('fault', 1)
  })
  const goOn = () => {
    if (stopping !== undefined) throw new Error('The start was called off.')
  }
  try {
    await start(opened, { config, log, say, goOn })
  } catch (error) {
    if (stopping === undefined) say(explainError(error))
    stop('the start failed', 1)
  } finally {
    started.resolve()
  }
}

async function start(opened: Opened, { config, log, say, goOn }: Tools): Promise<void> {
  opened.traces = await openTraces(config.traces)
  // Listens first, so that a port that is in use leaves no half-started service behind.
  await tryPort(config.host, config.port)
  goOn()
  opened.database = await openDatabase(config, say)
  const metrics = createMetrics({ withProcess: true })
  opened.database.onTrouble?.((why) => {
    if (why !== undefined) return log.error({ why }, 'database.ended')
    metrics.count('pharos_embedded_database_restarts_total', {})
    log.info('database.runs_again')
  })
  const { trouble, onTrouble } = opened.database
  const { url, listenUrl, masterKey } = opened.database
  goOn()
  const store = await openStore({ url, ...storeOptions(config, 'clockwork'), entities })
  opened.store = store
  await prepareLedger({ url: listenUrl, store, masterKey, publicLog: logChoices(config), tell: say })
  goOn()
  if (config.databaseUrl === undefined) observeDisk({ metrics, dataDir: config.dataDir })
  if (config.workers === 1) opened.replica = await configuredReplica(config, { store, metrics, log })
  const wanted = appOptions(config, {
    ...{ databaseUrl: url, listenDatabaseUrl: listenUrl, masterKey, store, metrics, log },
    replica: opened.replica,
    ...(trouble === undefined ? {} : { databaseTrouble: trouble }),
  })
  opened.app =
    config.workers === 1
      ? await startApp(wanted)
      : await startTogether(wanted, {
          ...{ count: config.workers, log, goOn, metrics },
          ...(onTrouble === undefined ? {} : { onDatabaseTrouble: onTrouble }),
          masterKeyBytes: opened.database.masterKeyBytes,
          program: [join(import.meta.dirname, 'start.js'), 'server/worker.ts'],
        })
  if (config.webhookAllowAddresses.size > 0)
    log.warn({ ranges: config.webhookAllowAddresses.size }, 'webhooks.private_addresses_allowed')
  goOn()
  const { base } = opened.app
  await opened.database.announce(base)
  log.info({ base, block_interval_ms: config.blockIntervalMs }, 'service.ready')
  say(`Pharos answers at ${base} (a block every ${config.blockIntervalMs / 1_000} s)`)
  await makeFirstAccount({ em: store.em() }, (first) =>
    introduce(first, { base, dataDir: config.dataDir, isTerminal: process.stderr.isTTY === true, say }),
  )
  opened.firstStartFile = watchFirstStartFile({ em: () => store.em(), dataDir: config.dataDir, log })
}

interface Stopping {
  readonly opened: Opened
  readonly started: Promise<void>
  readonly log: Log
  /** Aborted when the delay is to end early. */
  readonly hurry: AbortSignal
}

/** First readiness fails, then the ways in close, then everything that they use. */
async function shutDown(
  { opened, started, log, hurry }: Stopping,
  { reason, code, delayMs }: { readonly reason: string; readonly code: number; readonly delayMs: number },
): Promise<void> {
  log.info({ reason }, 'service.stopping')
  const { app } = opened
  if (app !== undefined && delayMs > 0) {
    app.withdraw()
    await pause(delayMs, undefined, { signal: hurry }).catch(() => undefined)
  }
  setTimeout(() => process.exit(code || 1), STOP_CEILING_MS).unref()
  // A start that is under way ends at its next step.
  await started
  for (const [name, close] of [
    ['first start file', opened.firstStartFile?.stop],
    ['app', opened.app?.close],
    ['replica', opened.replica?.close],
    ['store', opened.store?.close],
    ['database', opened.database?.close],
    ['traces', opened.traces],
  ] as const)
    await close?.().catch((err: unknown) => log.error({ err, name }, 'service.stop_failed'))
  log.info({ reason }, 'service.stopped')
  process.exit(code)
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainError(error)}\n`)
  process.exit(1)
})
