// A command that is killed as soon as its folder is in a certain state.
import { watch } from 'node:fs'
import type { Ran } from './run_pharos.ts'

/**
 * Kills it at the first change in the folder after which `isSo`. Its exit code is null then, unless it had ended before.
 * The folder is watched, because asking again and again would take a processor from the command.
 */
export async function killedWhen(
  folder: string,
  isSo: () => boolean,
  run: (killed: AbortSignal) => Promise<Ran>,
): Promise<Ran> {
  const killing = new AbortController()
  const look = (): void => {
    if (isSo()) killing.abort()
  }
  const watcher = watch(folder, look)
  look()
  try {
    return await run(killing.signal)
  } finally {
    watcher.close()
  }
}
