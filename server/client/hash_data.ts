// The digest of a file of any size. Reads the file once, and shows progress when that takes long.
import { createHash, getHashes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { HashType } from '../../shared/proof/claims.ts'
import { OPENSSL_NAMES } from '../../shared/proof/openssl_names.ts'
import { type Digest, startDigest } from '../../shared/verifier/digest.ts'
import { streamOf, unreadable } from './read_input.ts'
import type { Terminal } from './terminal.ts'

/** Lowercase hex. @throws Complaint when the file cannot be read */
export async function hashData({ progress }: Terminal, name: string, type: HashType): Promise<string> {
  const digest = fastDigest(type)
  const total = (await stat(name).catch(() => undefined))?.size ?? 0
  const startedAt = performance.now()
  let done = 0
  let shownAt = startedAt
  try {
    for await (const chunk of await streamOf(name)) {
      const bytes = Buffer.from(chunk)
      digest.update(bytes)
      done += bytes.length
      const now = performance.now()
      if (progress === undefined || now - startedAt < QUIET_MS || now - shownAt < BETWEEN_MS) continue
      progress(`${type} of ${name}: ${share(done, total)}`)
      shownAt = now
    }
  } catch (error) {
    throw unreadable(name, error)
  } finally {
    if (shownAt !== startedAt) progress?.('')
  }
  return digest.hex()
}

const QUIET_MS = 1_000
const BETWEEN_MS = 200

const share = (done: number, total: number): string =>
  total > 0 ? `${Math.floor((100 * Math.min(done, total)) / total)} %` : `${Math.floor(done / 1_048_576)} MiB`

/**
 * Uses OpenSSL when this Node has the function, because it is several times faster. The set of functions
 * differs by build and by policy.
 */
const fastDigest = (type: HashType): Digest => {
  const name = OPENSSL_NAMES[type]
  if (!getHashes().includes(name)) return startDigest(type)
  const hash = createHash(name)
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}
