// The oldest Node that the built command line runs on. What needs it is left out, loudly, where it is not installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Its path. Undefined where it is not on the PATH. */
export function node20(): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  const found = places.find(
    (place) =>
      existsSync(place) && spawnSync(place, ['--version']).stdout?.toString().startsWith('v20.') === true,
  )
  if (found === undefined) console.warn('LEFT OUT: what needs Node 20, because it is not on the PATH.')
  return found
}
