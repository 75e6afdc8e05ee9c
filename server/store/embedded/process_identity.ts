// Identifies a process. A pid may be reused after a reboot or a wrap-around, so the identity is pid, start time and
// boot.
import { readFile } from 'node:fs/promises'
import { hasCode } from '../../kernel/error_code.ts'

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

const read = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}
