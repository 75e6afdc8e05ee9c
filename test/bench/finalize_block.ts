// A block of 180,000 items, compared with hashing as many leaves in a bare loop and copying the rows of its leaves
// once. Two light readers use the API beside it.
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import type { Ground } from './ground.ts'
import { ITEMS, insertMany } from './many_items.ts'
import { type Measure, timed } from './measurement.ts'
import { NO_LIMITS, startServer } from './server_process.ts'

const READERS = 2
const IDLE_MS = 3_000
const AIM = { ratio: 2.5, mib: 512, walBytes: 300 } as const

export const finalizeLargeBlock: Measure = async (ground, say) => {
  const { store, signer, publicLog, bare } = ground
  say(`  inserting ${ITEMS} items`)
  await insertMany(ground)
  await bare('VACUUM ANALYZE items')
  await bare('VACUUM ANALYZE waiting_moments')
  const server = await startServer(ground, NO_LIMITS)
  const readers = startReaders(ground, `${server.base}/api/json/beacons/latest`)
  await delay(1_000)
  readers.take()
  await delay(IDLE_MS)
  const idle = p99(readers.take())
  await bare('CHECKPOINT')

  say('  ours: finalizing')
  const watch = watchMemory(ground)
  const before = await walAt(ground)
  const cpuBefore = process.cpuUsage()
  readers.take()
  const ours = await timed(() =>
    finalizeBlock({ em: store.em('ledger'), signer, publicLog }, { intervalMs: 1 }),
  )
  const beside = p99(readers.take())
  const cpu = process.cpuUsage(cpuBefore)
  const wal = ((await walAt(ground)) - before) / ITEMS
  const mib = watch.stop()
  await readers.stop()
  if (ours.value.outcome !== 'finalized' || ours.value.leaves !== ITEMS)
    throw new Error(`The block was not made: ${JSON.stringify(ours.value)}`)

  say('  baseline: hashing and one COPY')
  const hashing = await timed(hashInBareLoop)
  const copying = await copySameRows(ground)
  const baseline = hashing.ms + copying
  const ratio = ours.ms / baseline
  return {
    what: `finalize a block of ${ITEMS} items`,
    baseline: `${Math.round(baseline)} ms (hash ${Math.round(hashing.ms)}, copy ${Math.round(copying)})`,
    ours: `${Math.round(ours.ms)} ms, WAL ${Math.round(wal)} bytes an item`,
    ratio,
    aim: `<= ${AIM.ratio} x, <= ${AIM.mib} MiB, WAL <= ${AIM.walBytes} bytes`,
    met: ratio <= AIM.ratio && mib <= AIM.mib && wal <= AIM.walBytes,
    cpu: { ours: (cpu.user + cpu.system) / ITEMS },
    peakMib: mib,
    notes: `p99 of readers ${idle.toFixed(1)} ms idle, ${beside.toFixed(1)} ms beside it`,
  }
}

function hashInBareLoop(): void {
  const leaf = randomBytes(32)
  for (let index = 0; index < ITEMS; index += 1) createHash('sha256').update('\0').update(leaf).digest()
}

/** Copies into a table of the same shape with the same index: the database's own cost for these rows. */
async function copySameRows({ bare: run }: Ground): Promise<number> {
  await run('CREATE TABLE leaves_copy (LIKE block_leaves INCLUDING ALL)')
  await run(`COPY block_leaves TO PROGRAM 'cat > leaves.copy'`)
  await run('CHECKPOINT')
  const { ms } = await timed(() => run(`COPY leaves_copy FROM PROGRAM 'cat leaves.copy; rm leaves.copy'`))
  await run('DROP TABLE leaves_copy')
  return ms
}

/** Bytes of write-ahead log so far. */
async function walAt({ bare }: Ground): Promise<number> {
  const [row] = await bare(`SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes`)
  return Number(row?.bytes)
}

interface Readers {
  /** The times of the answers since the last call, in milliseconds. */
  readonly take: () => number[]
  readonly stop: () => Promise<void>
}

/** They run in the process that makes the block, so a busy event loop there counts too. */
function startReaders({ started, apiKey }: Ground, url: string): Readers {
  let times: number[] = []
  let goes = true
  const read = async () => {
    while (goes) {
      const began = performance.now()
      const answer = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`A reader was answered with ${answer.status}.`)
      times.push(performance.now() - began)
      await delay(3)
    }
  }
  const reading = Promise.all(Array.from({ length: READERS }, read))
  reading.catch(() => undefined)
  const stop = async () => {
    goes = false
    await reading
  }
  started.add('the readers', stop)
  return {
    take: () => {
      const taken = times
      times = []
      return taken
    },
    stop,
  }
}

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

function watchMemory({ started }: Ground): { stop: () => number } {
  let most = 0
  const look = () => {
    most = Math.max(most, process.memoryUsage().rss)
  }
  const timer = setInterval(look, 20)
  started.add('the watch over memory', () => clearInterval(timer))
  return {
    stop: () => {
      look()
      clearInterval(timer)
      return Math.round(most / 1_048_576)
    },
  }
}
