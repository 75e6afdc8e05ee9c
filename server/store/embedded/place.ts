// Where PostgreSQL's programs and data live, and as whom it runs.
//
// Not root: programs in node_modules, data in `<data folder>/postgres`, as ourselves.
// Root: PostgreSQL refuses root, so an unprivileged account must reach both. The data stays inside the data folder
// whenever possible: that folder is what people back up and mount as a volume; a cluster kept elsewhere would be lost
// with the container. Our 0700 folder is therefore opened for that account's group to pass through (0710, `root:postgres`):
// nobody can list it, others cannot even pass, and what lies in it is 0600 or 0700. Only when a folder further up is
// closed (a checkout below /root; those folders are not ours to open) does the data live elsewhere, behind a link.
import { chmod, chown, lstat, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Binaries, majorVersion } from './binaries.ts'
import { copyBinaries } from './copy_binaries.ts'
import { hasCode, makeOpenFolder } from './durable_file.ts'
import type { Account } from './run_program.ts'
import { canEnter, checkCanBecome, isRoot, otherDatabase, unprivilegedAccount } from './unprivileged.ts'

export interface Place {
  readonly binaries: Binaries
  readonly major: number
  /** Whom PostgreSQL runs as; undefined: ourselves. */
  readonly account: Account | undefined
  /** `<data folder>/postgres`: the cluster, or a link to it. */
  readonly entry: string
  /** There is no cluster yet. */
  readonly isNew: boolean
  /** The folder a new cluster is made in: the data folder, or elsewhere. */
  readonly room: string
}

export interface PlaceWanted {
  readonly folder: string
  readonly binaries: Binaries
  /** Root's folder for what the account must reach: `/var/lib/pharos`. */
  readonly elsewhere: string
  readonly log: (line: string) => void
}

export const findPlace = async ({ folder, binaries, elsewhere, log }: PlaceWanted): Promise<Place> => {
  const entry = join(folder, 'postgres')
  const owner = await clusterOwner(entry)
  if (!isRoot()) {
    checkOwned(entry, owner)
    return {
      binaries,
      major: await checkRuns(binaries, undefined),
      account: undefined,
      entry,
      isNew: !owner,
      room: folder,
    }
  }
  // A cluster made by an ordinary user (or under another uid) keeps its owner: PostgreSQL runs as no one else.
  const account = owner ?? (await unprivilegedAccount())
  if (!account) throw new Error('No account to run PostgreSQL as.')
  await checkCanBecome(account)

  const runnable =
    'major' in (await majorVersion(binaries, account)) &&
    (await canEnter(account, join(binaries.native, 'share')))
  const reachable = runnable ? binaries : await copyBinaries(binaries, elsewhere, log)
  const major = await checkRuns(reachable, account)
  const place = { binaries: reachable, major, account, entry, isNew: !owner }
  if (owner) {
    const cluster = await realpath(entry)
    if (!(await canEnter(account, cluster))) await letIn(account, folder)
    if (!(await canEnter(account, cluster))) throw new Error(unreachable(cluster, account))
    return { ...place, room: folder }
  }
  if ((await canEnter(account, dirname(folder))) && (await letIn(account, folder)))
    return { ...place, room: folder }

  await makeOpenFolder(elsewhere)
  if (!(await canEnter(account, elsewhere))) throw new Error(unreachable(elsewhere, account))
  log(
    `The account ${account.name} cannot enter ${folder}: the database will live in ${elsewhere}, linked from ${entry}.`,
  )
  return { ...place, room: elsewhere }
}

/** Who owns the cluster; undefined when there is none yet. A link into nothing is never taken for "none yet". */
const clusterOwner = async (entry: string): Promise<Account | undefined> => {
  try {
    await lstat(entry)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    const { uid, gid } = await stat(entry)
    if (uid === 0 && isRoot())
      throw new Error(`${entry} belongs to root, which may not run PostgreSQL: give it back to its account.`)
    return { name: `with uid ${uid}`, uid, gid }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    throw new Error(
      `The database of this data folder was kept in ${await readlink(entry)}, which is gone. Restore it there, ` +
        `or remove the link ${entry} to begin with an empty database.`,
    )
  }
}

const checkOwned = (entry: string, owner: Account | undefined): void => {
  if (process.platform === 'win32' || !owner || owner.uid === process.getuid?.()) return
  throw new Error(
    `The database ${entry} belongs to the account ${owner.name}, not to you: it was made by a start as root or another user. ` +
      'Start Pharos the same way, or set DATA_DIR to another folder.',
  )
}

const checkRuns = async (binaries: Binaries, account: Account | undefined): Promise<number> => {
  const answer = await majorVersion(binaries, account)
  if ('major' in answer) return answer.major
  throw new Error(
    `The PostgreSQL that Pharos brings (${binaries.postgres}) does not run here (${answer.failure}): ${otherDatabase}.`,
  )
}

/** Opens the data folder for passing through, no further than needed. */
const letIn = async (account: Account, folder: string): Promise<boolean> => {
  if (await canEnter(account, folder)) return true
  const { mode, uid } = await stat(folder)
  if ((mode & 0o070) === 0) {
    await chown(folder, uid, account.gid)
    await chmod(folder, (mode & 0o7777) | 0o010)
  } else {
    // The folder serves another group already: leave that alone, and let others pass (not list).
    await chmod(folder, (mode & 0o7777) | 0o001)
  }
  return canEnter(account, folder)
}

const unreachable = (path: string, account: Account): string =>
  `PostgreSQL may not run as root, and the account ${account.name} cannot enter ${path}: a folder on the way is closed ` +
  `to it. Open it (chmod o+x), set DATA_DIR to another folder, or ${otherDatabase}.`
