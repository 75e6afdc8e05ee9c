// Starts a server of several processes: the clockwork in this one, the ways in in the workers.

import { type StartWorkers, startWorkers } from '../workers/start_workers.ts'
import { type App, startBack } from './app.ts'
import type { AppOptions } from './app_options.ts'

export async function startTogether(
  options: AppOptions,
  { masterKeyBytes, ...how }: Omit<StartWorkers, 'beginning'> & { readonly masterKeyBytes: Uint8Array },
): Promise<App> {
  const back = await startBack(options)
  try {
    const workers = await startWorkers({
      ...how,
      beginning: {
        databaseUrl: options.databaseUrl,
        listenDatabaseUrl: options.listenDatabaseUrl,
        masterKeyHex: Buffer.from(masterKeyBytes).toString('hex'),
        embeddedNode: back.embeddedNode,
      },
    })
    return Object.freeze({
      base: workers.base,
      withdraw: workers.withdraw,
      close: async () => {
        await workers.close()
        await back.close()
      },
    })
  } catch (error) {
    await back.close()
    throw error
  }
}
