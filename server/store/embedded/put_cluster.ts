// Puts a new cluster into a data folder. `<data>/postgres` appears by one rename when it is complete. Before that it is
// `<data>/postgres.new.<id>`: the folder itself, or a link to it when it is elsewhere. A killed start leaves it behind,
// and the next start removes it and what it points to. The id is new each time, because an orphaned initdb may still
// write to the old one.
import { randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { renameDurably, syncFolder } from './durable_file.ts'
import type { Place } from './place.ts'

const draftName = 'postgres.new.'
/** The name of a folder elsewhere. Leftovers are deleted only by this pattern. */
const elsewhereName = /^cluster-[0-9a-f]{16}$/

/** @param fill makes the cluster in an empty folder of mode 0700 that belongs to the account of the place */
export const putCluster = async (
  { account, entry, room }: Place,
  fill: (target: string) => Promise<void>,
): Promise<void> => {
  const id = newId()
  const data = dirname(entry)
  const draft = join(data, `${draftName}${id}`)
  const target = room === data ? draft : join(room, `cluster-${id}`)
  try {
    // The link is made first, so that everything made elsewhere can be found again.
    if (target !== draft) await symlink(target, draft)
    await mkdir(target, { mode: 0o700 })
    if (account) await chown(target, account.uid, account.gid)
    await fill(target)
    if (target !== draft) await syncFolder(room)
    // Commit point: before it there is no database, after it there is one.
    await renameDurably(draft, entry)
  } catch (error) {
    // The next start removes what cannot be removed now. The first error is the one to report.
    await removeLeftovers(data).catch(() => undefined)
    throw error
  }
}

/** A name that makes a cluster, or a link to one, a leftover. */
export const leftoverName = (data: string): string => join(data, `${draftName}${newId()}`)

const newId = (): string => randomBytes(8).toString('hex')

export const removeLeftovers = async (data: string): Promise<void> => {
  for (const name of await readdir(data)) {
    if (!name.startsWith(draftName)) continue
    const path = join(data, name)
    if ((await lstat(path)).isSymbolicLink()) {
      const target = await readlink(path)
      if (elsewhereName.test(basename(target))) {
        await rm(`${target}.password`, { force: true })
        await removeFolder(target)
      }
      await rm(path)
    } else {
      await removeFolder(path)
    }
  }
}

/** Retries, because an initdb whose start was killed may still add files there. */
const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
