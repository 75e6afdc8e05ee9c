// Connects every room with plain arguments, starts what happens by itself and the ways in, in one process or with
// workers, and closes all in order.
import type { Half } from '../store/purposes.ts'
import { type StartWorkers, startWorkers } from '../workers/start_workers.ts'
import type { AppOptions } from './app_options.ts'
import { startClockwork } from './clockwork.ts'
import { openFront } from './front.ts'
import { openGround } from './ground.ts'

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
  const ground = await openGround(options)
  const front = await openFront(options, ground)
  ground.notices.start()
  await front.start()
  const clockwork = half === 'both' ? await startClockwork(options, ground) : undefined
  return Object.freeze({
    base: await front.open(),
    withdraw: front.withdraw,
    close: async () => {
      // Closes the ways in first, then the clockwork, then what both use.
      await front.close()
      await clockwork?.close()
      await ground.close()
    },
  })
}

/** The clockwork in this process, and workers beside it with the ways in. */
export async function startTogether(
  options: AppOptions,
  { masterKeyBytes, ...how }: Omit<StartWorkers, 'beginning'> & { readonly masterKeyBytes: Uint8Array },
): Promise<App> {
  const ground = await openGround(options)
  const clockwork = await startClockwork(options, ground)
  ground.notices.start()
  const closeBoth = async (): Promise<void> => {
    await clockwork.close()
    await ground.close()
  }
  try {
    const workers = await startWorkers({
      ...how,
      beginning: {
        databaseUrl: options.databaseUrl,
        listenDatabaseUrl: options.listenDatabaseUrl,
        masterKeyHex: Buffer.from(masterKeyBytes).toString('hex'),
        embeddedNode: ground.embeddedNode,
      },
    })
    return Object.freeze({
      base: workers.base,
      withdraw: workers.withdraw,
      close: async () => {
        await workers.close()
        await closeBoth()
      },
    })
  } catch (error) {
    await closeBoth()
    throw error
  }
}
