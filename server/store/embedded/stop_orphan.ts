// Ends the PostgreSQL that a killed server left behind, before a new one is started on the same cluster.
// Called only by the holder of the data folder, so whoever runs in this cluster has lost its server.
import { readFile, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { hasCode } from './durable_file.ts'
import { identifyProcess, isRunning, isTaken, type ProcessIdentity } from './process_identity.ts'
import { runProgram } from './run_program.ts'
import { signalPostmaster } from './signal_postmaster.ts'

export const stopOrphan = async (
  { cluster, binaries }: { cluster: string; binaries: Binaries },
  log: (line: string) => void,
): Promise<void> => {
  const pid = await recordedPid(cluster)
  if (pid === undefined) return
  const orphan = await identifyProcess(pid)
  if (!(await isRunning(orphan)) || !(await isPostgresOf(cluster, pid))) {
    // A pid that is free is PostgreSQL's own business. One that is taken, by a stranger after a reboot or by a zombie,
    // PostgreSQL would believe to be its predecessor and refuse to start. Its second guard, the shared memory key
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

/** First line of postmaster.pid; undefined when there is none or it is not whole. */
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

/** A postmaster's working folder is its cluster. Without /proc its command line has to do. */
const isPostgresOf = async (cluster: string, pid: number): Promise<boolean> => {
  try {
    const [cwd, exe] = await Promise.all([readlink(`/proc/${pid}/cwd`), readlink(`/proc/${pid}/exe`)])
    return cwd === cluster && basename(exe).startsWith('postgres')
  } catch (error) {
    // Somebody else's process: it cannot be the postmaster of a cluster that belongs to us.
    if (hasCode(error, 'EACCES', 'EPERM')) return false
  }
  // No ps (Windows): believe the file; asking a foreign process for a PostgreSQL shutdown does nothing there.
  const { ok, output } = await runProgram('/bin/ps', ['-p', String(pid), '-o', 'args='])
  return ok ? output.includes(`-D ${cluster}`) : process.platform === 'win32'
}

const isGone = async (orphan: ProcessIdentity, withinMs: number): Promise<boolean> => {
  for (const end = performance.now() + withinMs; performance.now() < end; await pause(25)) {
    if (!(await isRunning(orphan))) return true
  }
  return false
}
