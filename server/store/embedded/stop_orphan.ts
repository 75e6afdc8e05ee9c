// Ends the PostgreSQL that a killed server left behind, before a new one starts on the same cluster. Only the holder
// of the data folder may call it, so a PostgreSQL in this cluster has lost its server.
import { readFile, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasCode } from '../../kernel/error_code.ts'
import type { Binaries } from './binaries.ts'
import { signalPostmaster } from './postmaster.ts'
import { identifyProcess, isRunning, isTaken, type ProcessIdentity } from './process_identity.ts'
import { runProgram } from './run_program.ts'

export const stopOrphan = async (
  { cluster, binaries }: { cluster: string; binaries: Binaries },
  log: (line: string) => void,
): Promise<void> => {
  const pid = await recordedPid(cluster)
  if (pid === undefined) return
  const orphan = await identifyProcess(pid)
  if (!(await isRunning(orphan)) || !(await isPostgresOf(cluster, pid))) {
    // PostgreSQL handles a free pid itself. But if another process (after a reboot) or a zombie has the pid,
    // PostgreSQL would take it for its predecessor and refuse to start. Its second guard, the shared memory key
    // derived from the cluster's inode, stays in force.
    if (isTaken(pid)) await rm(join(cluster, 'postmaster.pid'), { force: true })
    return
  }
  log(`Stopping the database left behind by a server that was killed (process ${pid}) ...`)
  await signalPostmaster(binaries, pid, 'SIGINT')
  if (await isGone(orphan, 10_000)) return
  await signalPostmaster(binaries, pid, 'SIGQUIT')
  if (await isGone(orphan, 10_000)) return
  throw new Error(
    `The PostgreSQL left behind in ${cluster} (process ${pid}) does not stop. End it, then start again.`,
  )
}

/** The first line of postmaster.pid. Undefined when the file is missing or incomplete. */
const recordedPid = async (cluster: string): Promise<number | undefined> => {
  try {
    const [line] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
    const pid = Number(line)
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** A postmaster's working folder is its cluster. Without /proc the command line is compared instead. */
const isPostgresOf = async (cluster: string, pid: number): Promise<boolean> => {
  try {
    const [cwd, exe] = await Promise.all([readlink(`/proc/${pid}/cwd`), readlink(`/proc/${pid}/exe`)])
    return cwd === cluster && basename(exe).startsWith('postgres')
  } catch (error) {
    // A process of another account cannot be the postmaster of our cluster.
    if (hasCode(error, 'EACCES', 'EPERM')) return false
  }
  // Without ps (Windows) the file is trusted. A request to shut down has no effect on another kind of process.
  const { ok, output } = await runProgram('/bin/ps', ['-p', String(pid), '-o', 'args='])
  return ok ? output.includes(`-D ${cluster}`) : process.platform === 'win32'
}

const isGone = async (orphan: ProcessIdentity, withinMs: number): Promise<boolean> => {
  for (const end = performance.now() + withinMs; performance.now() < end; await pause(25)) {
    if (!(await isRunning(orphan))) return true
  }
  return false
}
