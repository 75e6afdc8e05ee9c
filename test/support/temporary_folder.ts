// A temporary folder that every account may enter. In a closed one, an embedded database that root starts would be kept
// elsewhere, where nobody deletes it with the folder.
import { chmod, mkdtemp, readdir, readFile, realpath, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @param name how the folder's name begins, e.g. `pharos-test-` */
export const makeTemporaryFolder = (name: string): Promise<string> => makeFolder(tmpdir(), name)

/**
 * In memory, if there is plenty of it: a database that lives as long as a test needs no disk, and waits for none that
 * others keep busy. What such a test shows is the same, because it kills processes and no machines.
 */
export async function makeMemoryFolder(name: string): Promise<string> {
  if (!(await hasPlenty())) return makeTemporaryFolder(name)
  await removeAbandoned()
  return makeFolder(MEMORY, `${MARK}${process.pid}-${name}`)
}

const MEMORY = '/dev/shm'
const MARK = 'of-pid-'
const PLENTY = 8 * 2 ** 30

async function makeFolder(parent: string, name: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(parent, name)))
  await chmod(folder, 0o755)
  return folder
}

/** Programs are started in these folders too, which not every such file system allows. */
async function hasPlenty(): Promise<boolean> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const [, , kind, options = ''] =
    mounts
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, at]) => at === MEMORY) ?? []
  if (kind !== 'tmpfs' || options.split(',').includes('noexec')) return false
  const { bavail, bsize } = await statfs(MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) >= PLENTY
}

/** What runs that were killed have left behind would use up memory until the next start of the machine. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const [, pid] = /^of-pid-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !lives(Number(pid)))
      await rm(join(MEMORY, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
