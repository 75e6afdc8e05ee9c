// A temporary folder that every account may enter. In a closed one, an embedded database that root starts would be kept
// elsewhere, where nobody deletes it with the folder.
import { chmod, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @param name how the folder's name begins, e.g. `pharos-test-` */
export async function makeTemporaryFolder(name: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), name)))
  await chmod(folder, 0o755)
  return folder
}
