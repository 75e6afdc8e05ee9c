// Reads a file that is small when it is right.
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'

/** At most one byte more than such a file may have, because that is enough to refuse it. @throws what the system says */
export const readSmall = (file: string, mostBytes: number): Promise<Buffer> =>
  buffer(createReadStream(file, { end: mostBytes }))
