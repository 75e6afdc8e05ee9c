// Decides where PostgreSQL's programs and data are, and which account runs it.
// Not root: programs in node_modules, data in `<data folder>/postgres`, as our own account. Root: PostgreSQL refuses
// to run as root, so an unprivileged account must reach both. The data stays in the data folder if possible, because
// people back up that folder and mount it as a volume; a cluster elsewhere would be lost with the container. Our 0700
// folder is therefore opened for that account's group to pass through (0710, `root:postgres`). The group cannot list
// it, others cannot pass, and everything in it is 0600 or 0700. If a folder above it is closed (a checkout below
// /root, which we must not open), the data is elsewhere, behind a link.
import { chmod, chown, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { whenMissing } from '../../kernel/error_code.ts'
import { type Binaries, copyBinaries, majorVersion } from './binaries.ts'
import { isThere, makeOpenFolder } from './durable_file.ts'
import {
  canEnter,
  checkCanBecome,
  otherDatabase,
  runsAsRoot,
  type SystemUser,
  unprivilegedAccount,
} from './run_program.ts'

/** The name of the cluster, or of the link to it, in a data folder. */
export const CLUSTER = 'postgres'

export interface ClusterPlace {
  readonly binaries: Binaries
  readonly major: number
  /** The account that runs PostgreSQL. Undefined: our own. */
  readonly account: SystemUser | undefined
  /** `<data folder>/postgres`: the cluster, or a link to it. */
  readonly entry: string
  /** True when there is no cluster yet. */
  readonly isNew: boolean
  /** The folder for a new cluster: the data folder, or a folder elsewhere. */
  readonly room: string
}

export const findPlace = async ({
  folder,
  binaries,
  elsewhere,
  log,
}: {
  readonly folder: string
  readonly binaries: Binaries
  /** Root's folder for files that the account must reach: `/var/lib/pharos`. */
  readonly elsewhere: string
  readonly log: (line: string) => void
}): Promise<ClusterPlace> => {
  const entry = join(folder, CLUSTER)
  const owner = await clusterOwner(entry)
  if (!runsAsRoot()) {
    checkOwned(entry, owner)
    const major = await checkRuns(binaries, undefined)
    return { binaries, major, account: undefined, entry, isNew: !owner, room: folder }
  }
  // A cluster made by another account keeps its owner, because PostgreSQL runs only as the owner.
  const account = owner ?? (await unprivilegedAccount())
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

/** The owner of the cluster. Undefined when there is none. A broken link is an error, never "none yet". */
const clusterOwner = async (entry: string): Promise<SystemUser | undefined> => {
  if (!(await isThere(entry))) return undefined
  const found = await stat(entry).catch(whenMissing)
  if (found === undefined)
    throw new Error(
      `The database of this data folder was kept in ${await readlink(entry)}, which is gone. Restore it there, ` +
        `or remove the link ${entry} to begin with an empty database.`,
    )
  const { uid, gid } = found
  if (uid === 0 && runsAsRoot())
    throw new Error(`${entry} belongs to root, which may not run PostgreSQL: give it back to its account.`)
  return { name: `with uid ${uid}`, uid, gid }
}

const checkOwned = (entry: string, owner: SystemUser | undefined): void => {
  if (process.platform === 'win32' || !owner || owner.uid === process.getuid?.()) return
  throw new Error(
    `The database ${entry} belongs to the account ${owner.name}, not to you: it was made by a start as root or another user. ` +
      'Start Pharos the same way, or set DATA_DIR to another folder.',
  )
}

const checkRuns = async (binaries: Binaries, account: SystemUser | undefined): Promise<number> => {
  const answer = await majorVersion(binaries, account)
  if ('major' in answer) return answer.major
  throw new Error(
    `The PostgreSQL that Pharos brings (${binaries.postgres}) does not run here (${answer.failure}): ${otherDatabase}.`,
  )
}

/** Opens the data folder for passing through, and no further. */
const letIn = async (account: SystemUser, folder: string): Promise<boolean> => {
  if (await canEnter(account, folder)) return true
  const { mode, uid } = await stat(folder)
  if ((mode & 0o070) === 0) {
    await chown(folder, uid, account.gid)
    await chmod(folder, (mode & 0o7777) | 0o010)
  } else {
    // The folder already belongs to another group. That group stays, and others may pass but not list.
    await chmod(folder, (mode & 0o7777) | 0o001)
  }
  return canEnter(account, folder)
}

const unreachable = (path: string, account: SystemUser): string =>
  `PostgreSQL may not run as root, and the account ${account.name} cannot enter ${path}: a folder on the way is closed ` +
  `to it. Open it (chmod o+x), set DATA_DIR to another folder, or ${otherDatabase}.`
