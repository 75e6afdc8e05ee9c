// Connects every room with plain arguments, starts what happens by itself and the ways in, in one process or with
// workers, and closes all in order.
import { ACCOUNT_CHANNEL } from '../domain/accounts/account_cache.ts'
import { BLOCK_CHANNEL } from '../domain/ledger/insert_block.ts'
import { createSigner } from '../domain/ledger/signer.ts'
import { startAsking } from '../jobs/ask_witnesses.ts'
import { readGauges } from '../watch/gauges.ts'
import { type StartWorkers, startWorkers } from '../workers/start_workers.ts'
import type { AppOptions } from './app_options.ts'
import { startClockwork } from './clockwork.ts'
import { openFront } from './front.ts'
import { type Ground, openGround } from './ground.ts'

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

/** Everything that happens by itself: blocks, deliveries, commitments, chores. */
interface Back {
  /** For the workers beside it. Contains a password. */
  readonly embeddedNode: Ground['embeddedNode']
  readonly close: () => Promise<void>
}

/**
 * A whole server in this process. The schema must be up to date and genesis must exist: see `prepare_ledger.ts`. The
 * server listens when this returns.
 */
export async function startApp(options: AppOptions): Promise<App> {
  const ground = await openGround(options)
  const front = await openFront(options, ground)
  ground.notices.start()
  await front.start()
  const closeBack = await openBack(options, ground)
  return Object.freeze({
    base: await front.open(),
    withdraw: front.withdraw,
    close: async () => {
      // Closes the ways in first, then the clockwork, then what both use.
      await front.close()
      await closeBack()
      await ground.close()
    },
  })
}

/** The ways in alone, in a worker. */
export async function startFront(options: AppOptions): Promise<App> {
  const ground = await openGround(options)
  const front = await openFront(options, ground)
  ground.notices.start()
  await front.start()
  return Object.freeze({
    base: await front.open(),
    withdraw: front.withdraw,
    close: async () => {
      await front.close()
      await ground.close()
    },
  })
}

/** The clockwork alone, in the first of several processes. */
async function startBack(options: AppOptions): Promise<Back> {
  const ground = await openGround(options)
  const closeBack = await openBack(options, ground)
  ground.notices.start()
  return Object.freeze({
    embeddedNode: ground.embeddedNode,
    close: async () => {
      await closeBack()
      await ground.close()
    },
  })
}

/** @returns its end */
async function openBack(options: AppOptions, ground: Ground): Promise<() => Promise<void>> {
  const { store, masterKey, blockIntervalMs, entropy, metrics, log } = options
  const clockwork = await startClockwork({
    store,
    signer: createSigner({ masterKey }),
    publicLog: ground.publicLog,
    queueUrl: options.listenDatabaseUrl,
    blockIntervalMs,
    entropy,
    chains: ground.chains,
    webhooks: ground.webhooks,
    announceFacts: ground.announceFacts,
    seeHead: ground.headWatch.see,
    metrics,
    log,
  })
  const { publicLog, witnesses } = ground
  const asking =
    witnesses === undefined
      ? undefined
      : startAsking({
          ...witnesses,
          em: () => store.em('work'),
          newest: publicLog.shown,
          mayOffer: () => publicLog.behind() === undefined,
          onEvidence: async (note) => void (await publicLog.consider(note)),
          log,
        })
  ground.notices.hear({
    onNotice: (channel) => {
      if (channel !== ACCOUNT_CHANNEL) clockwork.pokeWebhooks()
      // What this server has not seen yet it does not offer.
      if (channel === BLOCK_CHANNEL && asking !== undefined) void publicLog.look().then(asking.poke)
    },
  })
  readGauges({
    em: () => store.em('watch'),
    metrics,
    blockIntervalMs,
    entropy,
    chains: ground.chains,
    publicLog,
    witnessing: witnesses?.witnessing,
  })
  return async () => {
    await asking?.close()
    await clockwork.close()
  }
}

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
