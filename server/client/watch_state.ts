// What a monitor remembers of a log between runs: its key, and the last checkpoint it saw.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isJsonObject, memberOf } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'
import { StrictJsonError } from '../../shared/proof/strict_json_error.ts'
import { textAt } from './ask_service.ts'
import { Complaint, codeOf, wordsOf } from './complaint.ts'

export interface Watched {
  /** The verifier key of the log. */
  readonly key: string
  /** The note, as it was shown. */
  readonly checkpoint: string
  /** ISO 8601. */
  readonly seenAt: string
}

export const stateFile = (env: NodeJS.ProcessEnv, log: URL): string =>
  join(
    env.XDG_CONFIG_HOME || join(homedir(), '.config'),
    'pharos',
    'logs',
    `${encodeURIComponent(`${log.host}${log.pathname}`)}.json`,
  )

/** Undefined before the first run. @throws Complaint when the file is something else */
export async function readState(path: string): Promise<Watched | undefined> {
  const text = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new Complaint(`${path} cannot be read: ${wordsOf(error)}.`)
  })
  if (text === undefined) return undefined
  try {
    const value = readStrictJson(text)
    const [key, checkpoint, seenAt] = ['key', 'checkpoint', 'seen_at'].map((name) => textAt(value, name))
    if (isJsonObject(value) && memberOf(value, 'version') === 1 && key && checkpoint && seenAt)
      return { key, checkpoint, seenAt }
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
  }
  throw new Complaint(`${path} is not the state of a monitor.`, {
    advice: 'What it saw is lost with it, so it is not replaced. Move it away to begin anew.',
  })
}

export async function writeState(path: string, { key, checkpoint, seenAt }: Watched): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const fresh = `${path}.${process.pid}.new`
    const document = { version: 1, key, checkpoint, seen_at: seenAt }
    await writeFile(fresh, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600, flush: true })
    await rename(fresh, path)
  } catch (error) {
    throw new Complaint(`${path} cannot be written: ${wordsOf(error)}.`)
  }
}
