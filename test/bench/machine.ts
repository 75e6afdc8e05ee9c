// What the machine is, and what it did while something was measured.
import { open, readFile, rm } from 'node:fs/promises'
import { arch, availableParallelism, cpus, freemem, loadavg, platform, totalmem } from 'node:os'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { medianMs } from './measurement.ts'
import { familyCpuMs } from './process_use.ts'

/** One line about the machine before anything is measured. */
export async function describeMachine(): Promise<string> {
  const gib = (bytes: number): string => (bytes / 1_073_741_824).toFixed(1)
  const [processor] = cpus()
  return [
    `${availableParallelism()} cores (${processor?.model.trim() ?? 'unknown'})`,
    `${gib(freemem())} of ${gib(totalmem())} GiB free`,
    `load ${(loadavg()[0] ?? 0).toFixed(2)}`,
    `a flush of 8 KiB to disk ${(await flushMs()).toFixed(2)} ms`,
    `${platform()} ${arch()}, Node ${process.version}`,
  ].join(', ')
}

const FLUSHES = 50

/** Durable commits wait for this, so it bounds what single commits can reach. */
async function flushMs(): Promise<number> {
  const folder = await makeTemporaryFolder('pharos-bench-flush-')
  const file = await open(join(folder, 'flushed'), 'w')
  const page = Buffer.alloc(8_192, 1)
  try {
    return await medianMs(FLUSHES, async () => {
      await file.write(page, 0, page.length, 0)
      await file.datasync()
    })
  } finally {
    await file.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Watches until the returned function is called, which says how busy the machine was, and how much of that
 * was neither the bench nor what it started. Undefined where the machine does not tell.
 */
export async function watchMachine(): Promise<() => Promise<string | undefined>> {
  const before = await readTimes()
  return async () => {
    const after = await readTimes()
    if (before === undefined || after === undefined) return undefined
    const total = after.total - before.total
    const busy = (after.busy - before.busy) / total
    const others = (after.busy - before.busy - (after.ours - before.ours)) / total
    const share = (part: number): string => `${Math.round(Math.max(0, part) * 100)} %`
    return `processors ${share(busy)} busy, others' work ${share(others)}, waiting for disk ${share((after.waiting - before.waiting) / total)}`
  }
}

interface Times {
  /** All in milliseconds, summed over the processors. */
  readonly total: number
  readonly busy: number
  readonly waiting: number
  readonly ours: number
}

async function readTimes(): Promise<Times | undefined> {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => undefined)
  const ours = await familyCpuMs(process.pid)
  if (stat === undefined || ours === undefined) return undefined
  const [line = ''] = stat.split('\n')
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) * 10)
  const busy = user + nice + system + irq + softirq + steal
  return { total: busy + idle + waiting, busy, waiting, ours }
}
