// A file that takes seconds to hash on any machine: 8 GiB of zeros, of which only the length is on the disk.
import { open } from 'node:fs/promises'

export async function writeLarge(path: string): Promise<void> {
  const file = await open(path, 'w')
  await file.truncate(2 ** 33)
  await file.close()
}
