// The lock on a data folder: at most one living process holds it, and the death of its holder is enough to free it.
//
// `holder` names the process in possession. It is only ever created whole, by `link` from a finished draft.
// A dead holder X cannot simply be deleted: two starters may both have read X, and the slower one would delete
// the faster one's fresh lock. So each must first claim the succession of X by linking its draft to `after.X`:
//   1. `link` succeeds for one of them only; ids are random and never come back, so this decides X for good.
//   2. The winner looks again whether `holder` still starts the chain it read. If not, the succession was over
//      long ago (and `after.X` already swept away): its claim is void, it removes it and starts again.
//   3. It renames its draft over `holder`, then sweeps the claims. Nobody else may replace X in between.
// A winner Y killed between 1 and 3 leaves a chain: Y counts as the holder, and `after.Y` decides who follows Y.
import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode, whenCode, whenMissing } from '../../kernel/error_code.ts'
import { parsedJson } from '../../kernel/json_text.ts'
import { makePrivateFolder, writeDurably } from './durable_file.ts'

export type FolderLock = ReturnType<typeof held>

/** The folder in which it is kept. */
export const LOCK = 'lock'

export const takeFolderLock = async (folder: string): Promise<FolderLock> => {
  const room = join(folder, LOCK)
  await makePrivateFolder(room)
  const mine: Holder = {
    id: randomBytes(16).toString('hex'),
    ...(await identifyProcess(process.pid)),
    since: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    address: null,
  }
  try {
    // Every failed attempt was overtaken by another start. A hundred in one start are a fault.
    for (let attempt = 0; attempt < 100; attempt++) {
      if (await tryToTake(folder, room, mine)) return held(room, mine)
    }
    throw new Error(`The lock of the data folder ${folder} changes hands too fast to be taken.`)
  } finally {
    await rm(draftOf(room, mine), { force: true })
  }
}

/** A running process holds the folder. The message names the process and its address. */
export class FolderInUse extends Error {
  /** Where its server answers. Null until it has announced that. */
  readonly address: string | null

  constructor(message: string, address: string | null) {
    super(message)
    this.name = 'FolderInUse'
    this.address = address
  }
}

const holderSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  pid: z.number().int().positive(),
  started: z.string().nullable(),
  since: z.string(),
  address: z.string().nullable(),
})
type Holder = z.infer<typeof holderSchema>

const tryToTake = async (folder: string, room: string, mine: Holder): Promise<boolean> => {
  const [draft, holder] = [draftOf(room, mine), join(room, 'holder')]
  const first = await readHolder(holder)
  const last = first === undefined ? undefined : await lastInChain(room, first)
  // Before anything is written, because an operator command reaches a server whose disk is full.
  if (last !== undefined && (await isRunning(last))) {
    // A claim that came too late is void, and does not say who holds the folder.
    if (last !== first && (await readHolder(holder))?.id !== first?.id) return false
    throw new FolderInUse(inUse(folder, last), last.address)
  }
  await writeDurably(draft, JSON.stringify(mine), 0o644)
  if (first === undefined || last === undefined) return isLinked(draft, holder)

  const claim = join(room, `after.${last.id}`)
  if (!(await isLinked(draft, claim))) return false
  if ((await readHolder(holder))?.id !== first.id) {
    await rm(claim, { force: true })
    return false
  }
  await rename(draft, holder)
  await rm(claim, { force: true })
  await sweep(room)
  return true
}

const held = (room: string, mine: Holder) => {
  const holder = join(room, 'holder')
  let released = false
  let queue = Promise.resolve()
  const afterEarlierSteps = (step: () => Promise<void>): Promise<void> => {
    const done = queue.then(step)
    queue = done.catch(() => undefined)
    return done
  }
  return {
    /** Stores this server's address for the error message of the next start. */
    announce: (address: string): Promise<void> =>
      afterEarlierSteps(async () => {
        if (released) return
        // The id stays the same, so this is the same lock with one more detail.
        await writeDurably(draftOf(room, mine), JSON.stringify({ ...mine, address }), 0o644)
        await rename(draftOf(room, mine), holder)
      }),
    release: (): Promise<void> =>
      afterEarlierSteps(async () => {
        if (released) return
        released = true
        if ((await readHolder(holder))?.id === mine.id) await rm(holder, { force: true })
      }),
  }
}

const lastInChain = async (room: string, first: Holder): Promise<Holder> => {
  let last = first
  for (;;) {
    const next = await readHolder(join(room, `after.${last.id}`))
    if (!next) return last
    last = next
  }
}

/**
 * Removes drafts and claims of processes that ended. May remove a draft that a rival is writing. The rival then
 * writes another.
 */
const sweep = async (room: string): Promise<void> => {
  for (const name of await readdir(room)) {
    if (name === 'holder') continue
    const author = await readHolder(join(room, name))
    if (author && !(await isRunning(author))) await rm(join(room, name), { force: true })
  }
}

/** A damaged record counts as a dead process. Its id stays the same as long as the file does. */
const readHolder = async (path: string): Promise<Holder | undefined> => {
  const text = await readFile(path, 'utf8').catch(whenMissing)
  if (text === undefined) return undefined
  const parsed = holderSchema.safeParse(parsedJson(text))
  if (parsed.success) return parsed.data
  const damaged = await stat(path).catch(whenMissing)
  if (damaged === undefined) return undefined
  const id = `damaged-${damaged.ino}-${Math.trunc(damaged.mtimeMs)}`
  return { id, pid: -1, started: null, since: '', address: null }
}

/** ENOENT: a new holder removed our draft while it was being written. */
const isLinked = async (draft: string, name: string): Promise<boolean> =>
  (await link(draft, name).then(() => true, whenCode('EEXIST', 'ENOENT'))) === true

const draftOf = (room: string, { id }: Holder): string => join(room, `draft.${id}`)

const inUse = (folder: string, { pid, address, since }: Holder): string =>
  `The data folder ${folder} is in use by process ${pid} (${address ? `${address}, ` : ''}started ${since}). ` +
  'Stop it, or set DATA_DIR to another folder.'

export interface ProcessIdentity {
  readonly pid: number
  /** `<boot id>:<start in clock ticks since boot>`. Null on platforms without /proc, where only the pid counts. */
  readonly started: string | null
}

export const identifyProcess = async (pid: number): Promise<ProcessIdentity> => {
  const seen = await look(pid)
  return { pid, started: seen?.started ?? null }
}

/** In doubt the answer is true: a process that cannot be inspected but accepts signals is running. A zombie is not. */
export const isRunning = async ({ pid, started }: ProcessIdentity): Promise<boolean> => {
  if (!isTaken(pid)) return false
  const seen = await look(pid)
  if (!seen) return isTaken(pid)
  return seen.alive && (started === null || started === seen.started)
}

/** True when the kernel has a process with this pid, also a zombie. EPERM means that it belongs to another account. */
export const isTaken = (pid: number): boolean => {
  // 0 and negative numbers address process groups, including our own.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

const look = async (pid: number): Promise<{ alive: boolean; started: string } | undefined> => {
  const [stat, boot] = await Promise.all([read(`/proc/${pid}/stat`), read('/proc/sys/kernel/random/boot_id')])
  // Field 2 is the program's name in brackets and may contain blanks and brackets, so count after the last bracket.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, start] = [fields?.[0], fields?.[19]]
  if (state === undefined || start === undefined) return undefined
  return { alive: state !== 'Z' && state !== 'X', started: `${boot?.trim() ?? ''}:${start}` }
}

const read = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)
