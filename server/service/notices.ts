// Notices of the database: received on one connection of this process, and passed on to every part of it.
import { ACCOUNT_CHANNEL } from '../domain/accounts/account_cache.ts'
import { BLOCK_CHANNEL } from '../domain/ledger/insert_block.ts'
import type { Log } from '../kernel/log.ts'
import { type Listener, listen } from '../store/listen.ts'

export const FACT_CHANNEL = 'pharos_fact'

export interface Hearer {
  readonly onNotice: (channel: string) => void
  /** Called after every connect: notices may have been missed. */
  readonly onConnect?: () => void
}

export interface Notices extends Listener {
  readonly hear: (hearer: Hearer) => void
  /** Connects. Those who must not miss the first `onConnect` call `hear` before. */
  readonly start: () => void
}

export function openNotices({ url, log }: { readonly url: string; readonly log: Log }): Notices {
  const hearers: Hearer[] = []
  let listener: Listener | undefined
  return Object.freeze({
    connected: () => listener?.connected() ?? false,
    hear: (hearer: Hearer) => void hearers.push(hearer),
    start: () => {
      listener ??= listen({
        url,
        channels: [BLOCK_CHANNEL, FACT_CHANNEL, ACCOUNT_CHANNEL],
        onNotice: (channel) => {
          for (const { onNotice } of hearers) onNotice(channel)
        },
        onConnect: () => {
          for (const { onConnect } of hearers) onConnect?.()
        },
        onLost: (err) => log.warn({ err }, 'listen.lost'),
      })
    },
    close: async () => listener?.close(),
  })
}
