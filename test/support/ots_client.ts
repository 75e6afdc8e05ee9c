// The ordinary OpenTimestamps client from PyPI, kept beside the packages of npm. It is left out, loudly, where there is no
// Python or no PyPI.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const VERSION = '0.7.2'
const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')
const INSTALLED = join(CACHE, `opentimestamps-client-${VERSION}`)

export interface OtsRun {
  readonly code: number
  /** Both streams: what it says goes to the second. */
  readonly said: string
}

/** Runs `ots` with these words in a folder, which is its home too. */
export type OtsClient = (folder: string, ...words: readonly string[]) => Promise<OtsRun>

/** Undefined where it cannot be had. */
export async function otsClient(): Promise<OtsClient | undefined> {
  try {
    await install()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    console.warn(`LEFT OUT: what needs the OpenTimestamps client, because it cannot be installed. ${why}`)
    return undefined
  }
  return (folder, ...words) =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env.PATH, HOME: folder, PYTHONPATH: INSTALLED }
      const args = [join(INSTALLED, 'bin', 'ots'), ...words]
      execFile('python3', args, { cwd: folder, env, timeout: PATIENCE_MS }, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code
        if (typeof code === 'number') resolve({ code, said: `${stdout}${stderr}` })
        else reject(error)
      })
    })
}

const PATIENCE_MS = 120_000

/** Beside the place first, because another run may do the same at this moment. */
async function install(): Promise<void> {
  if (existsSync(INSTALLED)) return
  await mkdir(CACHE, { recursive: true })
  const draft = `${INSTALLED}.${process.pid}`
  const quiet = ['--quiet', '--no-input', '--disable-pip-version-check']
  const words = ['-m', 'pip', 'install', ...quiet, '--target', draft, `opentimestamps-client==${VERSION}`]
  await promisify(execFile)('python3', words, { timeout: PATIENCE_MS })
  await rename(draft, INSTALLED).catch(() => rm(draft, { recursive: true, force: true }))
}
