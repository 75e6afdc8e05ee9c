// Start, signals, graceful stop.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type App, startApp } from './app.ts'
import { type Config, ConfigError, environment, maskedSettings, readConfig } from './config.ts'
import { SOURCES } from './domain/entropy/sources.ts'
import { entities } from './entities.ts'
import { createLog, type Log } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import { type OpenDatabase, openDatabase } from './open_database.ts'
import { type FirstAccount, prepareLedger } from './prepare_ledger.ts'
import { openStore, type Store } from './store/open_store.ts'

const ROOT = join(import.meta.dirname, '..')

/** A stop that takes longer is cut short: whatever supervises us would do the same, less kindly. */
const STOP_CEILING_MS = 9_500

async function main(): Promise<void> {
  const config = readConfig(environment(ROOT), ROOT)
  const log = createLog(config.logLevel)
  const say = (line: string) => process.stderr.write(`${line}\n`)
  log.info(
    { settings: maskedSettings(process.env), node: process.version, pid: process.pid },
    'service.starting',
  )

  const opened: { database?: OpenDatabase; store?: Store; app?: App } = {}
  let stopping: Promise<void> | undefined
  const stop = (reason: string, code: number): void => {
    stopping ??= shutDown(opened, log, reason, code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal, 0))
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'service.fault')
    stop('fault', 1)
  })

  opened.database = await openDatabase(config, say)
  opened.database.lost.then((lastWords) => {
    log.fatal({ last_words: lastWords }, 'database.lost')
    stop('database lost', 1)
  })
  const { url, listenUrl, masterKey } = opened.database
  opened.store = await openStore({ url, poolSize: config.databasePoolSize, entities })
  const first = await prepareLedger({ url: listenUrl, store: opened.store, masterKey })
  opened.app = await startApp({
    host: config.host,
    port: config.port,
    baseUrl: config.baseUrl,
    databaseUrl: url,
    listenDatabaseUrl: listenUrl,
    store: opened.store,
    masterKey,
    blockIntervalMs: config.blockIntervalMs,
    maxBodyBytes: config.maxBodyBytes,
    trustedProxies: config.trustedProxies,
    limits: config.limits,
    ceilings: config.ceilings,
    entropy: config.entropy.sources.map((name) => ({
      source: SOURCES[name],
      address: config.entropy.addresses[name],
    })),
    chains: config.chains,
    webhooks: { allow: config.webhookAllowAddresses },
    metrics: createMetrics({ withProcess: true }),
    metricsToken: config.metricsToken,
    lookups: config.lookups,
    trustedKeyrings: config.trustedKeyrings,
    proofLayout: config.proofLayout,
    log,
  })
  if (config.webhookAllowAddresses.size > 0)
    log.warn({ ranges: config.webhookAllowAddresses.size }, 'webhooks.private_addresses_allowed')
  if (stopping !== undefined) return
  const { base } = opened.app
  await opened.database.announce(base)
  log.info({ base, block_interval_ms: config.blockIntervalMs }, 'service.ready')
  say(`Pharos answers at ${base} (a block every ${config.blockIntervalMs / 1_000} s)`)
  if (first !== undefined) await introduce(config, base, first, say)
}

/** Key, sign-in link and a first request, once: on a terminal, or in a file only the owner can read. */
async function introduce(
  config: Config,
  base: string,
  first: FirstAccount,
  say: (line: string) => void,
): Promise<void> {
  const text = [
    'This is shown once. Keep the API key; only its hash is stored.',
    '',
    `  Account   ${first.email}`,
    `  API key   ${first.apiKey}`,
    `  Console   ${base}/#key=${first.apiKey}`,
    '',
    'Submit a first item:',
    '',
    `  curl -sS ${base}/api/json/items -H 'Authorization: Bearer ${first.apiKey}' -H 'Content-Type: application/vnd.api+json' -d '{"data":{"type":"item","attributes":{"claims":{"name":"My first item","description":"Recorded to see how long a minute is."}}}}'`,
    '',
  ].join('\n')
  if (process.stderr.isTTY) return say(`\n${text}`)
  const path = join(config.dataDir, 'first-start.txt')
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await writeFile(path, text, { mode: 0o600 })
  say(`The first API key, the console link and a first request are in ${path}`)
}

async function shutDown(
  { app, store, database }: { app?: App; store?: Store; database?: OpenDatabase },
  log: Log,
  reason: string,
  code: number,
): Promise<void> {
  log.info({ reason }, 'service.stopping')
  setTimeout(() => process.exit(code || 1), STOP_CEILING_MS).unref()
  for (const [name, close] of [
    ['app', app?.close],
    ['store', store?.close],
    ['database', database?.close],
  ] as const)
    await close?.().catch((err: unknown) => log.error({ err, name }, 'service.stop_failed'))
  log.info({ reason }, 'service.stopped')
  process.exit(code)
}

main().catch((error: unknown) => {
  const told =
    error instanceof ConfigError ? error.message : error instanceof Error ? error.message : String(error)
  process.stderr.write(`${told}\n`)
  process.exit(1)
})
