// `openssl` as the client of a time-stamp authority, in a folder. It is left out, loudly, where it is not installed.
import { execFile, spawnSync } from 'node:child_process'

export interface OpensslRun {
  readonly code: number
  /** Both streams. */
  readonly said: string
}

export type Openssl = (folder: string, ...words: readonly string[]) => Promise<OpensslRun>

/** Undefined where it cannot be had. */
export function openssl(): Openssl | undefined {
  if (spawnSync('openssl', ['ts', '-help']).status !== 0) {
    console.warn('LEFT OUT: what needs `openssl ts`, because it is not installed.')
    return undefined
  }
  return (folder, ...words) =>
    new Promise((resolve, reject) => {
      execFile('openssl', [...words], { cwd: folder, timeout: PATIENCE_MS }, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code
        if (typeof code === 'number') resolve({ code, said: `${stdout}${stderr}` })
        else reject(error)
      })
    })
}

const PATIENCE_MS = 60_000
