// The public log as this server serves it, and how it reaches the witnesses.
import type { EntityManager } from '@mikro-orm/postgresql'
import { writeEpochFile, writeKeyringFile } from '../../shared/log/copy_files.ts'
import { epochFile } from '../domain/commitments/epoch_files.ts'
import { type ConnectWitness, WitnessAway } from '../domain/log/ask_witness.ts'
import {
  entryRows,
  logKeyInUse,
  noteTextOf,
  retiredOrigins,
  storedTiles,
  tileRows,
} from '../domain/log/log_rows.ts'
import type { PublicLog } from '../domain/log/public_log.ts'
import { publishedPolicy, type Witnessing, witnessedCheckpoint } from '../domain/log/witnesses.ts'
import { introducedKeys } from '../domain/proofs/keyrings.ts'
import type { Guard } from '../outgoing/guard.ts'
import { unlessAborted } from '../outgoing/post_pinned.ts'
import { conversePinned } from '../outgoing/vetted_request.ts'
import { LOG_PATH, type LogSource } from '../surfaces/log/serve_log.ts'
import type { WebhookNetwork } from './app_options.ts'

export const servedLog = ({
  em,
  publicLog,
  witnessing,
  base,
}: {
  readonly em: () => EntityManager
  readonly publicLog: Pick<PublicLog, 'shown' | 'look'>
  readonly witnessing: Witnessing | undefined
  /** The public origin. */
  readonly base: () => string
}): LogSource => ({
  shown: async () => {
    // Only until this server has seen its first one.
    if (publicLog.shown() === undefined) await publicLog.look()
    const newest = publicLog.shown()
    if (newest === undefined || witnessing !== undefined)
      return newest && witnessing && (await witnessedCheckpoint(em(), witnessing, newest))
    return { size: newest.size, note: noteTextOf(newest) }
  },
  readTile: async (tile) => (await tileRows(em(), [tile]))[0],
  readTiles: (tiles) => storedTiles(em())(tiles),
  readEntries: (from, to) => entryRows(em(), { from, to }),
  policy: async () => {
    const key = publicLog.shown()?.key ?? (await logKeyInUse(em()))
    if (key === undefined) throw new Error('The public log has no key.')
    return publishedPolicy(witnessing, { key: key.verifier, url: `${base()}${LOG_PATH}` })
  },
  history: () => retiredOrigins(em()),
  keyring: async (size) => {
    const keys = await introducedKeys(em())
    return writeKeyringFile(keys.filter(({ introducedAtHeight }) => introducedAtHeight < size))
  },
  epoch: async (place, size) => {
    const epoch = await epochFile(em(), place, size)
    return epoch && writeEpochFile(epoch)
  },
})

/** Witnesses are reached as receivers of webhooks are, and without TLS only where private addresses are allowed. */
export function connectWitnesses(network: WebhookNetwork, guard: Guard): ConnectWitness {
  const { allow, ca } = network
  const converse = conversePinned({ guard, allow, ...(ca === undefined ? {} : { ca }) })
  return async (url, signal) => {
    // A name server may take longer than a round. Then the conversation ends as soon as it begins.
    const opening = unlessAborted(converse(url), signal, (late) => late.close())
    const conversation = await away(opening)
    return Object.freeze({
      post: (to: URL, body: string, over: AbortSignal) => away(conversation.post(to, body, over)),
      get: (to: URL, over: AbortSignal) => away(conversation.get(to, over)),
      close: conversation.close,
    })
  }
}

/** Every failure of a conversation is one of the network. */
const away = <T>(talk: Promise<T>): Promise<T> =>
  talk.catch((cause: unknown) => {
    throw new WitnessAway(cause instanceof Error ? cause.message : String(cause), { cause })
  })
