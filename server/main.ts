// Starts the service, handles signals, and stops it gracefully.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createLog, type Log } from './kernel/log.ts'
import { closeService, type Opened, startService } from './service/start_service.ts'
import { environment, maskedSettings, readConfig, unknownNames } from './settings/read_settings.ts'
import { explainError } from './start/explain_error.ts'

const ROOT = join(import.meta.dirname, '..')

/** A longer stop is cut short, not counting its delay. A supervisor would kill the process otherwise. */
const STOP_CEILING_MS = 7_500

async function main(): Promise<void> {
  const config = readConfig(environment(ROOT), ROOT)
  const log = createLog(config.logLevel)
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  log.info(
    { settings: maskedSettings(process.env), node: process.version, pid: process.pid },
    'service.starting',
  )
  for (const name of unknownNames(process.env, ROOT))
    say(
      `${name} is no setting, or none any more, and is not read: deploy/CONFIGURATION.md has every setting.`,
    )
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
  const throwIfStopped = () => {
    if (stopping !== undefined) throw new Error('The start was called off.')
  }
  try {
    await startService(opened, { config, log, say, throwIfStopped })
  } catch (error) {
    if (stopping === undefined) say(explainError(error))
    stop('the start failed', 1)
  } finally {
    started.resolve()
  }
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
  await closeService(opened, log)
  log.info({ reason }, 'service.stopped')
  process.exit(code)
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainError(error)}\n`)
  process.exit(1)
})
