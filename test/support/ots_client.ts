// The ordinary OpenTimestamps client from the Python index. It is left out, loudly, where it cannot be had.
import { join } from 'node:path'
import { type Python, pythonPackage } from './python_package.ts'

/** Undefined where it cannot be had. */
export async function otsClient(): Promise<Python | undefined> {
  const found = await pythonPackage('opentimestamps-client', '0.7.2')
  if (found === undefined) return undefined
  const { folder, python } = found
  return (home, ...words) => python(home, join(folder, 'bin', 'ots'), ...words)
}
