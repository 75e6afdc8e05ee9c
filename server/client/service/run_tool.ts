// Runs a program of the system, with what it is to know on its standard input: arguments can be read by every process.
import { execFile } from 'node:child_process'
import { Complaint, codeOf } from '../../../shared/cli/terminal.ts'

/** It may ask the person to unlock something. */
const PATIENCE_MS = 30_000
const MOST_BYTES = 65_536

export interface ToolAnswer {
  readonly isDone: boolean
  readonly out: string
  /** What it said of the failure. Empty when it said nothing. */
  readonly err: string
}

/** Undefined when there is no such program. */
export const runTool = (
  env: NodeJS.ProcessEnv,
  [program, ...args]: readonly [string, ...string[]],
  input = '',
): Promise<ToolAnswer | undefined> =>
  new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { env, timeout: PATIENCE_MS, maxBuffer: MOST_BYTES },
      (error, out, err) => {
        if (codeOf(error) === 'ENOENT') resolve(undefined)
        else if (error?.killed === true)
          reject(new Complaint(`${program} did not answer within ${PATIENCE_MS / 1_000} seconds.`))
        else resolve({ isDone: error === null, out, err: err.trim() })
      },
    )
    // It may end without reading.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
