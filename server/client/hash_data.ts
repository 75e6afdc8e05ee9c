// The digest of a file on this computer, or of standard input, with its progress.
import { createHash, getHashes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { paced, printable, type Terminal } from '../../shared/cli/terminal.ts'
import { type HashType, OPENSSL_NAMES } from '../../shared/proof/claims.ts'
import { type Digest, startDigest } from '../../shared/verifier/digest.ts'
import { streamOf, unreadable } from './files.ts'

/** Lowercase hex. @param name of a file, or - for standard input. @throws Complaint when it cannot be read */
export async function hashData({ progress }: Terminal, name: string, type: HashType): Promise<string> {
  const digest = fastDigest(type)
  const isInput = name === '-'
  const total = isInput ? 0 : ((await stat(name).catch(() => undefined))?.size ?? 0)
  const shown = isInput ? 'standard input' : printable(name)
  const tell = paced(progress, { firstMs: 1_000, everyMs: 200 })
  let done = 0
  try {
    for await (const chunk of isInput ? process.stdin : await streamOf(name)) {
      const bytes = Buffer.from(chunk)
      digest.update(bytes)
      done += bytes.length
      tell(() => `${type} of ${shown}: ${share(done, total)}`)
    }
  } catch (error) {
    throw unreadable(name, error)
  } finally {
    progress?.('')
  }
  return digest.hex()
}

const share = (done: number, total: number): string =>
  total > 0 ? `${Math.floor((100 * Math.min(done, total)) / total)} %` : `${Math.floor(done / 1_048_576)} MiB`

/**
 * Uses OpenSSL when this Node has the function, because it is several times faster. The set of functions
 * differs by build and by policy.
 */
export const fastDigest = (type: HashType): Digest => {
  const name = OPENSSL_NAMES[type]
  if (!getHashes().includes(name)) return startDigest(type)
  const hash = createHash(name)
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}
