// The half of a server that clients meet: what stands behind the ways in, the notices that wake it, and the ways in.
import { ACCOUNT_CHANNEL } from '../domain/accounts/account_cache.ts'
import { BLOCK_CHANNEL } from '../domain/ledger/insert_block.ts'
import type { AppOptions } from './app_options.ts'
import type { Ground } from './ground.ts'
import { openServices } from './services.ts'
import { buildWaysIn } from './ways_in.ts'

export async function openFront(options: AppOptions, ground: Ground) {
  const behind = await openServices(options, ground, () => waysIn.base())
  const { accounts, feed, deliveries, pullWaits, rounds } = behind
  const waysIn = await buildWaysIn(options, behind)
  const { consoleStream } = waysIn
  ground.notices.hear({
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

  return Object.freeze({
    /** Reads the newest beacon. To be called before `open`. */
    start: feed.start,
    open: waysIn.open,
    withdraw: (): void => {
      // Whoever waits asks again, and is answered by another server.
      pullWaits.end()
      waysIn.withdraw()
    },
    close: async (): Promise<void> => {
      pullWaits.end()
      // Rounds close at once, because a request that is under way has less time than a round may take.
      await Promise.all([waysIn.close(), rounds.close()])
      await behind.close()
    },
  })
}
