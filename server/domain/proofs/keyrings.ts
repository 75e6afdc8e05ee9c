// Keyrings: our own, and those of other services that the operator trusts.
import { basename } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import { KeyringRejected, type NamedKeyring, readKeyring } from '../../../shared/proof/verify/keyring.ts'
import { repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import { readSmall } from '../../kernel/read_small.ts'
import { boundedRequest } from '../../outgoing/bounded_request.ts'
import { type SigningKey, signingKeys } from '../ledger/signing_key.ts'

/** A key that a block has introduced. */
export interface IntroducedKey extends SigningKey {
  readonly introducedAtHeight: number
}

/** Oldest first. The last key signs now. It is read on every call, so a rotation takes effect at once. */
export async function introducedKeys(em: EntityManager): Promise<IntroducedKey[]> {
  return (await signingKeys(em)).filter(isIntroduced)
}

const isIntroduced = (key: SigningKey): key is IntroducedKey => key.introducedAtHeight !== null

export type KeyringDocument = ReturnType<typeof keyringDocument>

/** The document at `/.well-known/keyring.json`. */
export const keyringDocument = (keys: readonly IntroducedKey[]) => ({
  version: '1.0',
  keys: keys.map((key, index) => ({
    /** 8 hex digits, e.g. `591f29fc`. */
    key_id: key.keyId.toString('hex'),
    /** Base64 of 32 bytes. */
    public_key: key.publicKey.toString('base64'),
    sequence: key.sequence,
    /** True for the key that signs now. */
    active: index === keys.length - 1,
  })),
})

/** The name under which reports show our own keyring. */
export const ownKeyring = (keys: readonly IntroducedKey[]): NamedKeyring => ({
  name: 'this service',
  own: true,
  keys: keyringDocument(keys).keys,
})

const HOUR_MS = 3_600_000
const TIMEOUT_MS = 10_000
const MAX_BYTES = 1_048_576

export type TrustedKeyrings = Awaited<ReturnType<typeof openTrustedKeyrings>>

/**
 * Keyrings of other services that this service trusts. They are read at start and again every hour. After an error
 * the last good copy stays in use.
 * Resolves after the first read. A source that hangs delays the start by at most ten seconds.
 */
export async function openTrustedKeyrings({
  sources,
  log,
  refreshEvery = HOUR_MS,
}: {
  /** Files, or https addresses of `keyring.json` documents. */
  readonly sources: readonly string[]
  readonly log: Log
  /** Milliseconds. */
  readonly refreshEvery?: number
}) {
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
  const refreshing = repeat({
    everyMs: refreshEvery,
    keepsAlive: false,
    onError: (err) => log.error({ err }, 'trusted_keyring.refresh_failed'),
    run: refresh,
  })
  return Object.freeze({
    /** The keyrings as last read. A keyring that was never read has no keys and is marked as unloaded. */
    keyrings: (): readonly NamedKeyring[] => [...known.values()],
    /**
     * Reads all keyrings again in parallel. Never rejects: a keyring that cannot be read is logged and stays as it was.
     */
    refresh,
    close: () => void refreshing.stop(),
  })
}

const isAddress = (source: string): boolean => source.startsWith('https://')

/** The public name in reports: only the file name of a path, and an address without its query. */
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
  const bytes = await readSmall(path, MAX_BYTES)
  if (bytes.length > MAX_BYTES) throw new KeyringRejected(`${path} is larger than ${MAX_BYTES} bytes`)
  return bytes
}
