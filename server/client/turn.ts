// One after the other among the processes of this computer: whose turn it is says a file. A turn that nobody is left to end
// is over, so a killed command keeps none of the later ones waiting.
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Complaint, codeOf, wordsOf } from '../../shared/cli/terminal.ts'
import { noneThere } from './files.ts'

/**
 * No turn is longer: what is done in one has timeouts that are shorter together. It ends the turn of another computer
 * that shares the folder, and that of a process whose number another one has now.
 */
const LONGEST_TURN_MS = 120_000
const LOOK_AGAIN_MS = 50

/** @throws Complaint when the file cannot be written, and what the work throws */
export async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  const own = `${hostname()} ${process.pid} ${randomBytes(8).toString('hex')}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    while (!(await begins(path, own))) if (!(await endsAbandoned(path))) await sleep(LOOK_AGAIN_MS)
  } catch (error) {
    throw new Complaint(`${path} cannot be written: ${wordsOf(error)}.`)
  }
  try {
    return await work()
  } finally {
    if ((await readFile(path, 'utf8').catch(noneThere)) === own) await rm(path, { force: true })
  }
}

async function begins(path: string, own: string): Promise<boolean> {
  try {
    await writeFile(path, own, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Returns true when the turn is over, or was over already. */
async function endsAbandoned(path: string): Promise<boolean> {
  const [found, holder] = await Promise.all([
    stat(path).catch(noneThere),
    readFile(path, 'utf8').catch(noneThere),
  ])
  if (found === undefined || holder === undefined) return true
  if (isRunning(holder) && Date.now() - found.mtimeMs < LONGEST_TURN_MS) return false
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await rename(path, aside)
    // Another process may have ended it and begun its own turn between the two looks. That one goes on.
    if ((await readFile(aside, 'utf8')) !== holder) await link(aside, path)
    await rm(aside, { force: true })
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error
  }
  return true
}

/** True also when it cannot be known: on another computer, or before the number is written. */
function isRunning(holder: string): boolean {
  const [host, number = ''] = holder.split(' ')
  if (host !== hostname() || !/^\d+$/.test(number)) return true
  try {
    process.kill(Number(number), 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}
