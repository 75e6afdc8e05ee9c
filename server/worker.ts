// A worker: one of several processes with the ways in. The first process starts it, and says when to begin and stop.
import { join } from 'node:path'
import { createLog, type Log } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import { masterKey } from './kernel/sealed.ts'
import { appOptions, configuredReplica } from './service/app_options.ts'
import { type App, startApp } from './service/start_service.ts'
import { environment, readConfig } from './settings/read_settings.ts'
import { explainError } from './start/explain_error.ts'
import { storeOptions } from './start/open_database.ts'
import { openStore, type Replica, type Store } from './store/open_store.ts'
import { type FirstProcess, hearFirstProcess } from './workers/first_process.ts'
import { siblingSessions } from './workers/sibling_sessions.ts'

const ROOT = join(import.meta.dirname, '..')

/** Milliseconds. A longer stop is cut short. Shorter than the patience of the first process. */
const STOP_CEILING_MS = 5_500

let app: App | undefined
let store: Store | undefined
let replica: Replica | undefined
let log: Log | undefined
let endTraces: (() => Promise<void>) | undefined
const started = Promise.withResolvers<void>()
const own = createMetrics({ withProcess: true })
let isStopping = false

// The terminal and the supervisor may signal all processes of a group. This one waits for the first process's word,
// which lets the balancer notice the stop before.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

function stop(reason: string, code: number): void {
  if (isStopping) return
  isStopping = true
  log?.info({ reason }, 'worker.stopping')
  setTimeout(() => process.exit(code || 1), STOP_CEILING_MS).unref()
  void (async () => {
    await started.promise
    await app?.close().catch((err: unknown) => log?.error({ err }, 'worker.stop_failed'))
    await replica?.close().catch((err: unknown) => log?.error({ err }, 'worker.stop_failed'))
    await store?.close().catch((err: unknown) => log?.error({ err }, 'worker.stop_failed'))
    await endTraces?.()
    process.exit(code)
  })()
}

const first = hearFirstProcess({
  withdraw: () => app?.withdraw(),
  stop: (reason) => stop(reason, 0),
  measure: () => own.snapshot((err) => log?.warn({ err }, 'metrics.not_read')),
})

process.on('uncaughtException', (err) => {
  log?.fatal({ err }, 'service.fault')
  stop('fault', 1)
})

async function start({
  beginning,
  ports,
  measureOthers,
  databaseTrouble,
  tell,
}: FirstProcess): Promise<void> {
  const { number, databaseUrl, listenDatabaseUrl, masterKeyHex, embeddedNode } = await beginning
  const config = readConfig(environment(ROOT), ROOT)
  log = createLog(config.logLevel, undefined, { worker: number })
  if (config.traces !== undefined) endTraces = (await import('./watch/traces.ts')).startTracing(config.traces)
  store = openStore({ url: databaseUrl, ...storeOptions(config, 'ways_in') })
  const siblings = siblingSessions({ path: '/socket.io/', number, ports })
  replica = configuredReplica(config, { store, metrics: own, log })
  app = await startApp(
    appOptions(config, {
      ...{ databaseUrl, listenDatabaseUrl, replica, store, siblings, log },
      masterKey: masterKey(Buffer.from(masterKeyHex, 'hex')),
      ...(embeddedNode === undefined ? {} : { embeddedNode }),
      metrics: own,
      measureOthers,
      databaseTrouble,
    }),
    'ways_in',
  )
  tell({ kind: 'ready', base: app.base, port: siblings.port() })
}

start(first)
  .catch((error: unknown) => {
    first.tell({ kind: 'failed', words: explainError(error) })
    stop('the start failed', 1)
  })
  .finally(started.resolve)
