// Processor time and memory of other processes, as Linux counts them. Elsewhere nothing is known, and the
// report leaves those cells empty.
import { readdir, readFile } from 'node:fs/promises'

/** Linux counts processor time in hundredths of a second for every program, whatever its own clock does. */
const MS_PER_TICK = 10

/** Milliseconds of processor time (user and system) of this process so far, undefined when there is none. */
export async function cpuMs(pid: number): Promise<number | undefined> {
  const stat = await readStat(pid)
  return stat === undefined ? undefined : stat.own * MS_PER_TICK
}

/**
 * Milliseconds of processor time of this process and of all that it began, those included that have ended
 * and were waited for. A PostgreSQL server is measured by the process id of its postmaster.
 */
export async function familyCpuMs(pid: number): Promise<number | undefined> {
  const stats = await readAllStats()
  const root = stats.get(pid)
  if (root === undefined) return undefined
  let ticks = 0
  const family = [pid]
  for (let member = family.pop(); member !== undefined; member = family.pop()) {
    const stat = stats.get(member)
    ticks += stat === undefined ? 0 : stat.own + stat.ended
    for (const [child, { parent }] of stats) if (parent === member) family.push(child)
  }
  return ticks * MS_PER_TICK
}

/** The process that started this one. */
export const parentOf = async (pid: number): Promise<number | undefined> => (await readStat(pid))?.parent

/** The highest resident size of this process so far, in MiB. */
export async function peakMib(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
  return kib === undefined ? undefined : Math.round(Number(kib) / 1_024)
}

interface Stat {
  readonly parent: number
  /** Ticks of the process itself. */
  readonly own: number
  /** Ticks of children that have ended. */
  readonly ended: number
}

async function readAllStats(): Promise<Map<number, Stat>> {
  const names = await readdir('/proc').catch((): string[] => [])
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map(async (pid) => [pid, await readStat(pid)] as const))
  return new Map(stats.flatMap(([pid, stat]) => (stat === undefined ? [] : [[pid, stat] as const])))
}

/** Fields as proc(5) numbers them: 4 parent, 14 and 15 own ticks, 16 and 17 ticks of ended children. */
async function readStat(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The second field is the program's name in brackets, which may contain blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (field: number): number => Number(fields[field - 3] ?? 0)
  return { parent: at(4), own: at(14) + at(15), ended: at(16) + at(17) }
}
