// Reads a file of the operator's that is small when it is right.
import { open } from 'node:fs/promises'

/** At most one byte more than such a file may have, because that is enough to refuse it. @throws what the system says */
export async function readSmall(file: string, mostBytes: number): Promise<Uint8Array> {
  const opened = await open(file, 'r')
  try {
    const bytes = Buffer.alloc(mostBytes + 1)
    const { bytesRead } = await opened.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await opened.close()
  }
}
