// `pharos stamp` of very many files and digests by one command, compared with hashing them alone; and `pharos verify
// --manifest` of the same folder. The files are small, because what is measured is what each of them costs.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BUILT_FILE } from '../../server/client/build.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import type { Ground } from './ground.ts'
import { type Measure, type Measurement, timed } from './measurement.ts'
import { cpuMs, peakMib } from './process_use.ts'
import { endWith, NO_LIMITS, startServer } from './server_process.ts'

const FILES = 100_000
const DIGESTS = 1_000_000
const FILES_A_FOLDER = 1_000
/** Milliseconds beside the hashing. */
const MOST_BESIDE_MS = 30_000
const MOST_MIB = 300

export const stampManyFiles: Measure = async (ground, say) => {
  const { base } = await startServer(ground, { ...NO_LIMITS, LOG_LEVEL: 'error' })
  const folder = await folderOf(ground)
  say(`  writing ${FILES} files`)
  for (let n = 0; n < FILES; n += 1) {
    const place = join(folder, 'many', String(Math.floor(n / FILES_A_FOLDER)))
    if (n % FILES_A_FOLDER === 0) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `${n}.txt`), `This is file ${n}.\n`.repeat(40))
  }
  say('  hashing them alone, twice, then stamping and comparing them')
  await hashAlone(ground, folder)
  const baseline = await hashAlone(ground, folder)
  const run = (words: readonly string[]) => pharos(ground, { folder, base, words })
  const stamped = await run(['stamp', 'many', '-q'])
  const verified = await run(['verify', '--offline', '--manifest', 'many.pharos', 'many', '-q'])
  return [
    rowOf(`stamp of ${FILES} files, one command`, stamped, { baseline, mostMs: baseline + MOST_BESIDE_MS }),
    rowOf(`verify --manifest of them`, verified, { baseline, mostMs: baseline + MOST_BESIDE_MS, code: 3 }),
  ]
}

export const stampManyDigests: Measure = async (ground, say) => {
  const { base } = await startServer(ground, { ...NO_LIMITS, LOG_LEVEL: 'error' })
  const folder = await folderOf(ground)
  say(`  writing a list of ${DIGESTS} digests`)
  await pipeline(Readable.from(sums()), createWriteStream(join(folder, 'sums')))
  const { ms: baseline } = await timed(
    () =>
      new Promise((done) => {
        const child = spawn('sort', ['sums', '-o', 'sorted'], {
          cwd: folder,
          env: { ...process.env, LC_ALL: 'C' },
        })
        endWith(ground.started, 'sort', child)
        child.once('close', done)
      }),
  )
  const stamped = await pharos(ground, { folder, base, words: ['stamp', '--from', 'sums', '-q'] })
  return rowOf(`stamp of ${DIGESTS} digests of a list`, stamped, { baseline, mostMs: MOST_BESIDE_MS })
}

function* sums(): Generator<string> {
  for (let from = 0; from < DIGESTS; from += FILES_A_FOLDER) {
    let lines = ''
    for (let n = from; n < from + FILES_A_FOLDER; n += 1)
      lines += `${createHash('sha256').update(String(n)).digest('hex')}  folder ${from}/file ${n}.txt\n`
    yield lines
  }
}

async function folderOf({ started }: Ground): Promise<string> {
  const folder = await makeTemporaryFolder('pharos-stamp-')
  started.add('the files', () => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Milliseconds of `sha256sum` over all files. */
async function hashAlone({ started }: Ground, folder: string): Promise<number> {
  const { ms } = await timed(async () => {
    const child = spawn('sh', ['-c', 'find many -type f -print0 | xargs -0 sha256sum > alone'], {
      cwd: folder,
    })
    endWith(started, 'the hashing', child)
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`Hashing alone ended with ${code}.`)
  })
  return ms
}

interface Ran {
  readonly ms: number
  readonly code: number
  readonly mib: number | undefined
  /** Milliseconds of processor time, as they were at the last look. */
  readonly cpu: number | undefined
}

async function pharos(
  { started, apiKey }: Ground,
  {
    folder,
    base,
    words,
  }: { readonly folder: string; readonly base: string; readonly words: readonly string[] },
): Promise<Ran> {
  let mib: number | undefined
  let cpu: number | undefined
  const { ms, value } = await timed(async () => {
    const child = spawn(process.execPath, [BUILT_FILE, ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, PHAROS_URL: base, PHAROS_API_KEY: apiKey },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    endWith(started, 'pharos', child)
    const looking = setInterval(async () => {
      mib = (await peakMib(child.pid ?? 0)) ?? mib
      cpu = (await cpuMs(child.pid ?? 0)) ?? cpu
    }, 50)
    const [code] = await once(child, 'close').finally(() => clearInterval(looking))
    return Number(code)
  })
  return { ms, code: value, mib, cpu }
}

function rowOf(
  what: string,
  { ms, code: ended, mib, cpu }: Ran,
  {
    baseline,
    mostMs,
    code = 0,
  }: { readonly baseline: number; readonly mostMs: number; readonly code?: number },
): Measurement {
  if (ended !== code) throw new Error(`${what} ended with ${ended}.`)
  return {
    what,
    baseline: `${Math.round(baseline)} ms`,
    ours: `${Math.round(ms)} ms`,
    ratio: ms / baseline,
    aim: `<= ${Math.round(mostMs)} ms, <= ${MOST_MIB} MiB`,
    met: ms <= mostMs && (mib ?? 0) <= MOST_MIB,
    ...(mib === undefined ? {} : { peakMib: mib }),
    ...(cpu === undefined ? {} : { cpu: { ours: cpu * 1_000 } }),
  }
}
