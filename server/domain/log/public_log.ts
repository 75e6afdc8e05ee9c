// The public log in one process: signs within the transaction that makes a block, each checkpoint on top of the newest
// stored one, remembers what it has seen before it is shown, and refuses to go on behind what was signed.
import { type KeyObject, sign } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import {
  openCheckpoint,
  type SignedCheckpoint,
  type TreeHead,
  writeCheckpoint,
} from '../../../shared/log/checkpoint.ts'
import { type Frontier, frontierRoot, grow, readFrontiers } from '../../../shared/log/growing_tree.ts'
import { writeNote } from '../../../shared/log/signed_note.ts'
import type { VerifierKey } from '../../../shared/log/verifier_key.ts'
import { bytesEqual, utf8 } from '../../../shared/proof/bytes.ts'
import { repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { inTransaction } from '../../store/statement.ts'
import {
  BehindWhatWasSigned,
  type InsertBlock,
  type LoggedBlock,
  lockLedger,
  type NextCheckpoint,
} from '../ledger/block.ts'
import {
  type LogKey,
  type LogStanding,
  logKeyInUse,
  noteTextOf,
  openLogKey,
  type StoredCheckpoint,
  storeCheckpoint,
  storedTiles,
} from './log_rows.ts'
import {
  deleteMissing,
  isWrittenDown,
  judgeLog,
  readEvidence,
  type SignedMemory,
  writeMissing,
} from './signed_memory.ts'

/** What this process has signed and seen committed, from which the next checkpoint follows without reading. */
interface Signed {
  readonly key: LogKey
  readonly frontier: Frontier
  readonly root: Uint8Array
}

export function createCheckpointSigner({
  masterKey,
  memory,
}: {
  readonly masterKey: MasterKey
  readonly memory?: SignedMemory | undefined
}) {
  /** By the id of the verifier key, because another ledger may come to stand behind the same address. */
  const opened = new Map<number, KeyObject>()
  let signed: Signed | undefined

  const signatureOf = (key: LogKey, head: Head, privateKey: KeyObject): Buffer =>
    sign(null, utf8(writeCheckpoint({ origin: key.verifier.name, ...head })), privateKey)

  /** From what is stored: after a start, a fork, and a block that another server made. */
  const signStored = async (tx: EntityManager): Promise<Signed> => {
    const judgement = await judgeLog({ em: tx, memory })
    if (judgement === undefined) throw new Error('The log has no key.')
    const { standing, missing } = judgement
    if (missing !== undefined) throw new BehindWhatWasSigned()
    const { key, leaves, newest } = standing
    // What was missing is back, or never was.
    if (standing.missing !== undefined) await deleteMissing(tx, key.number)
    if (newest !== undefined && newest.size > leaves) throw new Error(NOT_ITS_TREE)
    const [frontier, before] = await readFrontiers(storedTiles(tx), [leaves, newest?.size ?? 0])
    if (frontier === undefined || before === undefined) throw new Error('The log has no tiles.')
    if (newest !== undefined && !bytesEqual(frontierRoot(before), newest.root)) throw new Error(NOT_ITS_TREE)
    const privateKey = opened.get(key.verifier.id) ?? (await openLogKey({ em: tx, masterKey }, key.number))
    opened.set(key.verifier.id, privateKey)
    const head = { size: leaves, root: frontierRoot(frontier) }
    if (leaves > (newest?.size ?? 0))
      await storeCheckpoint(tx, { key, ...head, signature: signatureOf(key, head, privateKey) })
    return { key, frontier, root: head.root }
  }

  /** On top of what this process has signed. Undefined when that is not known to be the newest. */
  const nextOf = async ({ height, leaf }: LoggedBlock) => {
    const known = signed
    const privateKey = known === undefined ? undefined : opened.get(known.key.verifier.id)
    if (known?.frontier.size !== height || privateKey === undefined) return undefined
    const { key, root: rootBefore } = known
    const held = await memory?.newest(key.verifier)
    // It is forgotten while the memory is read when something that was signed turns out to be missing.
    if (signed !== known || (held !== undefined && held.size > height)) return undefined
    const frontier = grow(known.frontier, leaf)
    const root = frontierRoot(frontier)
    const signature = signatureOf(key, { size: frontier.size, root }, privateKey)
    const checkpoint: NextCheckpoint = { log: key.number, root, signature, rootBefore }
    return { signed: { key, frontier, root }, checkpoint }
  }

  return Object.freeze({
    append: async (tx: EntityManager, block: LoggedBlock, insert: InsertBlock): Promise<() => void> => {
      const next = await nextOf(block)
      const isStored = await insert(next?.checkpoint)
      const made = isStored ? next?.signed : await signStored(tx)
      return () => {
        signed = made
      }
    },
    /** Signs for all blocks that there are. Does nothing when that has been done. @throws BehindWhatWasSigned */
    signHead: async (tx: EntityManager) => void (await signStored(tx)),
    /** The next checkpoint is made from what is stored. */
    forget: () => {
      signed = undefined
    },
  })
}

const NOT_ITS_TREE =
  'The tiles of the log do not extend its newest checkpoint. Nothing was added. `npm run audit` says what disagrees.'

type Head = Pick<TreeHead, 'size' | 'root'>

/** Both are signed notes. `found` is undefined when the ledger has no checkpoint of this key. */
interface Behind {
  readonly signed: string
  readonly found: string | undefined
}

export type PublicLog = ReturnType<typeof openPublicLog>

const LOOK_EVERY_MS = 3_000

export function openPublicLog({
  em,
  ledger,
  masterKey,
  memory,
  log,
}: {
  readonly em: () => EntityManager
  /** On connections that may hold the lock of the ledger. */
  readonly ledger: () => EntityManager
  readonly masterKey: MasterKey
  /** Without it, nothing is remembered: for tests, and for what serves no clients. */
  readonly memory?: SignedMemory | undefined
  readonly log: Log
}) {
  const signer = createCheckpointSigner({ masterKey, memory })
  let inUse: LogKey | undefined
  let shown: StoredCheckpoint | undefined
  let behind: Behind | undefined
  let isWritten = true
  /** What a witness or the fleet has shown. Kept while it is missing, because the memory keeps the largest alone. */
  let reported: SignedCheckpoint | undefined

  const judge = (missing: SignedCheckpoint | undefined, { newest }: LogStanding): void => {
    const before = behind
    behind =
      missing === undefined
        ? undefined
        : { signed: writeNote(missing.note), found: newest === undefined ? undefined : noteTextOf(newest) }
    if (behind === undefined && before !== undefined)
      log.info({ size: newest?.size }, 'log.extends_what_was_signed')
    if (behind === undefined || (behind.signed === before?.signed && behind.found === before.found)) return
    // Nothing of a ledger that lost some of what was signed is shown.
    shown = undefined
    signer.forget()
    log.error(behind, 'log.behind_what_was_signed')
  }

  const read = async (): Promise<void> => {
    const considered = reported
    const judgement = await judgeLog({ em: em(), memory }, considered)
    if (judgement === undefined) return
    const { standing, held, missing } = judgement
    const { key, newest } = standing
    const { verifier } = key
    if (inUse !== undefined && verifier.id !== inUse.verifier.id) {
      shown = undefined
      if (key.number > inUse.number)
        log.warn({ retired: inUse.verifier.name, origin: verifier.name }, 'log.fork_accepted')
    }
    inUse = key
    // Another one may have been shown meanwhile.
    if (reported === considered) reported = missing
    judge(missing, standing)
    if (missing !== undefined) {
      if (missing.size > (held?.size ?? 0)) await keep(verifier, () => missing)
      if (!isWrittenDown(judgement)) await tellFleet()
      return
    }
    if (newest === undefined) return
    if (newest.size > (held?.size ?? 0)) {
      if (!(await keep(verifier, () => openCheckpoint(utf8(noteTextOf(newest)), verifier)))) return
      if (held === undefined && memory !== undefined)
        log.warn({ size: newest.size, origin: verifier.name }, 'log.memory_begins')
    }
    shown = newest
  }

  /** False when it is not on the disk. A fault is told once, until it is over. */
  const keep = async (verifier: VerifierKey, open: () => SignedCheckpoint): Promise<boolean> => {
    if (memory === undefined) return true
    try {
      await memory.keep(verifier, open())
      isWritten = true
    } catch (err) {
      if (isWritten) log.error({ err }, 'log.memory_not_written')
      isWritten = false
    }
    return isWritten
  }

  /** Waits for a block that is being made, and judges again when it is there. */
  const tellFleet = (): Promise<void> =>
    inTransaction(ledger(), async (tx) => {
      await lockLedger(tx)
      const judgement = await judgeLog({ em: tx, memory }, reported)
      if (judgement !== undefined) await writeMissing(tx, judgement)
    })

  const looking = repeat({
    everyMs: LOOK_EVERY_MS,
    firstMs: Number.POSITIVE_INFINITY,
    onError: (err) => log.error({ err }, 'log.look_failed'),
    run: read,
    keepsAlive: false,
  })

  return Object.freeze({
    /** Starts to look by itself. */
    start: () => looking.poke(),
    /**
     * Compares the ledger with what was signed, and remembers its newest checkpoint. Call it after notices of new blocks
     * and whenever the database may be another one. Never rejects.
     */
    look: looking.run,
    /** The newest checkpoint that this server has on its disk. Nothing newer may be shown. */
    shown: () => shown,
    /** Why no block is made. */
    behind: () => behind,
    mayGrow: async () => {
      if (behind !== undefined) await looking.run()
      return behind === undefined
    },
    append: async (tx: EntityManager, block: LoggedBlock, insert: InsertBlock): Promise<() => void> => {
      try {
        const settle = await signer.append(tx, block, insert)
        return () => {
          settle()
          looking.poke()
        }
      } catch (error) {
        if (error instanceof BehindWhatWasSigned) looking.poke()
        throw error
      }
    },
    /**
     * Judges a note from outside. Only a valid signature of the key in use makes it evidence; then it is remembered.
     * @returns false for what is no evidence
     */
    consider: async (note: Uint8Array) => {
      const key = await logKeyInUse(em())
      const evidence = key && readEvidence(note, key.verifier)
      if (evidence === undefined) return false
      const judgement = await judgeLog({ em: em(), memory }, evidence)
      reported = judgement?.missing ?? reported
      await looking.run()
      return true
    },
    close: looking.stop,
  })
}
