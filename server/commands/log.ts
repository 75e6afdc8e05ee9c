// Operator commands for the public log: its verifier key, the way out when the ledger is behind what was signed, and the log as
// files, which any web server may serve.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { Interrupted, interruptible } from '../../shared/cli/interrupt.ts'
import { Complaint, paced, plural } from '../../shared/cli/terminal.ts'
import { openCheckpoint } from '../../shared/log/checkpoint.ts'
import { writeVerifierKey } from '../../shared/log/verifier_key.ts'
import { utf8 } from '../../shared/proof/bytes.ts'
import { epochFiles } from '../domain/commitments/epoch_files.ts'
import {
  entryRows,
  logKeyInUse,
  noteTextOf,
  type StoredCheckpoint,
  storedTiles,
} from '../domain/log/log_rows.ts'
import { acceptFork } from '../domain/log/origins.ts'
import { type JudgeParts, judgeLog, type SignedMemory } from '../domain/log/signed_memory.ts'
import { type Witnessing, witnessedCheckpoint } from '../domain/log/witnesses.ts'
import { introducedKeys } from '../domain/proofs/keyrings.ts'
import { liftRoundNumbers } from '../domain/rounds/round.ts'
import { type Commands, required, say } from './command.ts'
import { openCopyFolder } from './log_copy/copy_folder.ts'
import { type CopySource, writeCopy } from './log_copy/write_copy.ts'

export const LOG_COMMANDS: Commands = {
  'log key': {
    usage: '',
    meaning: 'prints the verifier key of the public log, and nothing else',
    options: {},
    existing: true,
    run: async ({ store }) => {
      const key = await logKeyInUse(store.em())
      if (key === undefined) throw new Error('The log has no key.')
      return say(writeVerifierKey(key.verifier))
    },
  },
  'log accept-fork': {
    usage: '--reason <text>',
    meaning:
      'goes on with a ledger that is behind what was signed, when the lost data cannot be brought back (refused while nothing is behind): the origin and the key of the public log are retired with their last checkpoint and the reason, which everybody can read for ever, and a new key signs',
    options: {
      reason: { takes: '<text>', meaning: 'why data were lost, for everybody to read' },
    },
    existing: true,
    run: async ({ store, masterKey, signedMemory }, values) => {
      const reason = required(values, 'reason')
      // The rounds that were lost with the blocks keep their numbers.
      await liftRoundNumbers(store.em())
      const fork = await acceptFork({ em: store.em(), masterKey, memory: signedMemory }, { reason })
      const origin = fork.inUse.verifier.name
      return say(
        `The log ${fork.retired.verifier.name} is retired for ever. Its last checkpoint, over ${fork.signed} blocks, and the reason stand in /log/history.`,
        `${origin} goes on from the ${fork.leaves} blocks that there are, and servers make blocks again within a few seconds. Its verifier key, for everybody who watches the log:`,
        writeVerifierKey(fork.inUse.verifier),
      )
    },
  },
}

export const EXPORT_COMMANDS: Commands = {
  export: {
    usage: '<folder> [--follow]',
    meaning:
      'writes the public log as files, in the layout of /log, with the keyring and the epochs beside it; what is there is kept; --follow goes on with every new checkpoint until it is stopped',
    options: {
      follow: { meaning: 'goes on with every new checkpoint, until it is stopped' },
    },
    words: 1,
    existing: true,
    run: async ({ store, signedMemory: memory, witnessing }, { follow }, [named]) => {
      if (named === undefined) throw new Complaint('Say which folder to write.')
      const place = resolve(named)
      const source = databaseSource({ em: store.em('work'), memory, witnessing })
      const folder = await openCopyFolder(place)
      const began = performance.now()
      const over = new Interrupted('The export was stopped. It goes on where it was when it is run again.')
      const write = async (stopped: AbortSignal): Promise<0> => {
        const tell = paced((line) => void process.stderr.write(`${line}\n`), { everyMs: TOLD_EVERY_MS })
        const first = await writeCopy(source, folder, {
          keepsEarlier: follow === true,
          onProgress: ({ done, total }) => {
            stopped.throwIfAborted()
            tell(() => `  ${done} of ${total} blocks ...`)
          },
        })
        if (first === undefined) throw new Error('The log has no checkpoint yet. Nothing was written.')
        say(`${place} has the log up to ${plural(first, 'block')}, in ${seconds(began)}.`)
        let size = first
        while (follow === true && !stopped.aborted) {
          await sleep(EVERY_MS, undefined, { signal: stopped }).catch(() => undefined)
          if (stopped.aborted || (await source.shown())?.size === size) continue
          size = (await writeCopy(source, folder, { keepsEarlier: true })) ?? size
          say(plural(size, 'block'))
        }
        // Without the partial tiles of earlier checkpoints: all copies of one size are the same.
        if (follow === true) await writeCopy(source, folder)
        return 0
      }
      return interruptible(over, (stopped) => write(stopped).finally(folder.close))
    },
  },
}

/** Until a new checkpoint is looked for. */
const EVERY_MS = 1_000

const TOLD_EVERY_MS = 2_000

const seconds = (since: number): string => `${Math.ceil((performance.now() - since) / 1_000)} s`

interface LogDatabase {
  readonly em: EntityManager
  /** What servers with this data folder have seen signed. A file may show only what is in it. */
  readonly memory?: SignedMemory | undefined
  readonly witnessing?: Witnessing | undefined
}

/** Blocks that are made meanwhile belong to the next checkpoint, so nothing is read in one snapshot. */
export const databaseSource = ({ em, memory, witnessing }: LogDatabase): CopySource => ({
  shown: async () => {
    const newest = await newestOf({ em, memory })
    if (newest === undefined) return undefined
    const note = noteTextOf(newest)
    await memory?.keep(newest.key.verifier, openCheckpoint(utf8(note), newest.key.verifier))
    if (witnessing !== undefined) return witnessedCheckpoint(em, witnessing, newest)
    return { size: newest.size, note }
  },
  readTiles: storedTiles(em),
  readEntries: (from, to) => entryRows(em, { from, to }),
  keys: async (height) =>
    (await introducedKeys(em)).filter(({ introducedAtHeight }) => introducedAtHeight < height),
  epochs: (height) => epochFiles(em, height),
})

/** @throws Error when the ledger is behind what was signed, because nothing of it may be shown then */
async function newestOf(parts: JudgeParts): Promise<StoredCheckpoint | undefined> {
  const judgement = await judgeLog(parts)
  const missing = judgement?.missing
  if (missing === undefined) return judgement?.standing.newest
  throw new Error(
    `The ledger is behind what its log has signed: ${missing.size} blocks. Nothing was written. /health/ready of a server says more.`,
  )
}
