// Programs from the Python index, kept beside the packages of npm. They are left out, loudly, where there is no Python or
// no index.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')

const PATIENCE_MS = 240_000

export interface PythonRun {
  readonly code: number
  /** Both streams. */
  readonly said: string
}

/** Runs Python with these words in a folder, which is its home too. The package is there to be imported. */
export type Python = (folder: string, ...words: readonly string[]) => Promise<PythonRun>

/**
 * @param name of the package, with its version behind it
 * @returns where it is, and what runs it. Undefined where it cannot be had.
 */
export async function pythonPackage(
  name: string,
  version: string,
): Promise<{ readonly folder: string; readonly python: Python } | undefined> {
  const installed = join(CACHE, `${name}-${version}`)
  try {
    await install(`${name}==${version}`, installed)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    console.warn(`LEFT OUT: what needs ${name} of the Python index, because it cannot be installed. ${why}`)
    return undefined
  }
  return {
    folder: installed,
    python: (folder, ...words) =>
      new Promise((resolve, reject) => {
        const env = { PATH: process.env.PATH, HOME: folder, PYTHONPATH: installed }
        const how = { cwd: folder, env, timeout: PATIENCE_MS }
        execFile('python3', [...words], how, (error, stdout, stderr) => {
          const code = error === null ? 0 : error.code
          if (typeof code === 'number') resolve({ code, said: `${stdout}${stderr}` })
          else reject(error)
        })
      }),
  }
}

/** Beside the place first, because another run may do the same at this moment. */
async function install(what: string, place: string): Promise<void> {
  if (existsSync(place)) return
  await mkdir(CACHE, { recursive: true })
  const draft = `${place}.${process.pid}`
  const quiet = ['--quiet', '--no-input', '--disable-pip-version-check', '--no-warn-script-location']
  const words = ['-m', 'pip', 'install', ...quiet, '--target', draft, what]
  await promisify(execFile)('python3', words, { timeout: PATIENCE_MS })
  await rename(draft, place).catch(() => rm(draft, { recursive: true, force: true }))
}
