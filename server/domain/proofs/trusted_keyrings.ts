// Keyrings of other services that this one trusts: read at the start, again every hour, the last good copy kept.
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { KeyringRejected, type NamedKeyring, readKeyring } from '../../../shared/proof/verify/keyring.ts'
import { boundedRequest } from '../../kernel/bounded_request.ts'
import type { Log } from '../../kernel/log.ts'
import { repeat } from '../../kernel/repeat.ts'

export interface TrustedKeyrings {
  /** As they were read last; one that was never read has no keys and says so. */
  readonly keyrings: () => readonly NamedKeyring[]
  /** Reads them all again, side by side. Never fails: what cannot be read stays as it was, and is logged. */
  readonly refresh: () => Promise<void>
  readonly close: () => void
}

export interface TrustedKeyringOptions {
  /** Files, or https addresses of `keyring.json` documents. */
  readonly sources: readonly string[]
  readonly log: Log
  /** Milliseconds. */
  readonly refreshEvery?: number
}

const HOUR_MS = 3_600_000
const TIMEOUT_MS = 10_000
const MAX_BYTES = 1_048_576

/** Read when this settles; a source that hangs holds the start up for ten seconds at most. */
export async function openTrustedKeyrings({
  sources,
  log,
  refreshEvery = HOUR_MS,
}: TrustedKeyringOptions): Promise<TrustedKeyrings> {
  const known = new Map<string, NamedKeyring>(
    sources.map((source) => [source, { name: nameOf(source), keys: [], unloaded: true }]),
  )
  const refreshOne = async (source: string): Promise<void> => {
    try {
      known.set(source, { name: nameOf(source), keys: readKeyring(await readSource(source)) })
    } catch (err) {
      log.warn({ err, keyring: isAddress(source) ? nameOf(source) : source }, 'trusted_keyring.not_read')
    }
  }
  const refresh = async (): Promise<void> => {
    await Promise.all([...known.keys()].map(refreshOne))
  }
  await refresh()
  const refreshing =
    known.size === 0
      ? undefined
      : repeat({
          everyMs: refreshEvery,
          keepsAlive: false,
          onError: (err) => log.error({ err }, 'trusted_keyring.refresh_failed'),
          run: refresh,
        })
  return Object.freeze({
    keyrings: () => [...known.values()],
    refresh,
    close: () => void refreshing?.stop(),
  })
}

const isAddress = (source: string): boolean => source.startsWith('https://')

/** What reports call it: everybody may read them, so of a file they say its name, and of an address not what it asks with. */
function nameOf(source: string): string {
  if (!isAddress(source)) return basename(source)
  const { origin, pathname } = new URL(source)
  return `${origin}${pathname}`
}

const readSource = (source: string): Promise<Uint8Array> =>
  isAddress(source) ? readAddress(source) : readFileUpTo(source)

async function readAddress(address: string): Promise<Uint8Array> {
  const { status, body } = await boundedRequest(address, {
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    headers: { accept: 'application/json' },
  })
  if (status !== 200) throw new KeyringRejected(`it answered ${status}`)
  return body
}

async function readFileUpTo(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > MAX_BYTES) throw new KeyringRejected(`${path} is larger than ${MAX_BYTES} bytes`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
