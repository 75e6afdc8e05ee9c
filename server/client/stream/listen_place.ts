// Where `listen` is, as a file finds it after a restart: the cursor of its endpoint, and what was forwarded beyond it.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { memberAt, textAt } from '../../../shared/proof/json_value.ts'
import { configFolder, readKept, writeKept } from '../files.ts'

export interface Place {
  /** The cursor of the service. Empty before everything. */
  readonly after: string
  /** Ids of deliveries beyond it that were forwarded already: at most those of one answer. */
  readonly forwarded: readonly string[]
}

/** One endpoint may be forwarded to several receivers, each with a place of its own. */
export const placeFile = (env: NodeJS.ProcessEnv, endpointId: string, to: URL): string => {
  const receiver = createHash('sha256').update(to.href).digest('hex').slice(0, 16)
  return join(configFolder(env), 'listen', `${endpointId}-${receiver}.json`)
}

/** Undefined before the first run. @throws Complaint when the file is something else */
export const readPlace = (path: string): Promise<Place | undefined> =>
  readKept(
    path,
    (value) => {
      const after = textAt(value, 'after')
      const forwarded = memberAt(value, 'forwarded')
      return after !== undefined && Array.isArray(forwarded)
        ? { after, forwarded: forwarded.filter((id) => typeof id === 'string') }
        : undefined
    },
    new Complaint(`${path} is not the place of a listener.`, {
      advice: 'Move it away to begin anew, with --since for what was missed.',
    }),
  )

/** @throws Complaint */
export const writePlace = (path: string, { after, forwarded }: Place): Promise<void> =>
  writeKept(path, `${JSON.stringify({ version: 1, after, forwarded })}\n`)
