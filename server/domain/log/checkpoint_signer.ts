// Signs checkpoints within the transaction that makes a block, each on top of the newest stored one.
import { type KeyObject, sign } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type TreeHead, writeCheckpoint } from '../../../shared/log/checkpoint.ts'
import { type Frontier, frontierRoot, grow, readFrontiers } from '../../../shared/log/growing_tree.ts'
import { bytesEqual, utf8 } from '../../../shared/proof/bytes.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import {
  BehindWhatWasSigned,
  type InsertBlock,
  type LoggedBlock,
  type NextCheckpoint,
} from '../ledger/block.ts'
import { deleteMissing, judgeLog } from './judge_log.ts'
import { type LogKey, openLogKey } from './log_key.ts'
import { storeCheckpoint, storedTiles } from './log_rows.ts'
import type { SignedMemory } from './signed_memory.ts'

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
  const nextOf = async ({ height, leaf }: LoggedBlock): Promise<Next | undefined> => {
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
    return { signed: { key, frontier, root }, checkpoint: { log: key.number, root, signature, rootBefore } }
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

interface Next {
  readonly signed: Signed
  readonly checkpoint: NextCheckpoint
}

const NOT_ITS_TREE =
  'The tiles of the log do not extend its newest checkpoint. Nothing was added. `npm run audit` says what disagrees.'

type Head = Pick<TreeHead, 'size' | 'root'>
