// Clients that are named by the address of a document about them (OAuth Client ID Metadata Document).
import { describedClient } from '../../domain/oauth/described_client.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import { lru } from '../../kernel/lru.ts'
import type { GetPinned } from '../../outgoing/vetted_request.ts'
import { JSON_TYPE, readJson } from '../http/read_body.ts'
import { type ClientMetadata, clientMetadata } from './clients.ts'

/** Bytes of a document, and milliseconds to read it. */
const BOUNDS = { bytes: 16_384, timeMs: 5_000 } as const

/** Milliseconds. Documents that are not accepted are asked for again sooner. */
const KEPT_MS = { accepted: 600_000, refused: 60_000 } as const

/**
 * Milliseconds. While the host is away, the client is what it was, so that an outage does not end what people use. A
 * document that is gone or says something else counts at once.
 */
const STALE_MS = 86_400_000

/** The host does not answer, or says itself that it cannot. */
class HostAway extends Error {}

const MOST_DOCUMENTS = 500

interface Known {
  readonly metadata: ClientMetadata | undefined
  readonly readAt: number
  readonly goodAt: number
}

export function createClientDocuments({
  get,
  charge,
  onRefused,
  now = () => performance.now(),
}: {
  readonly get: GetPinned
  /** Charges one read of a document. @throws rate_limited */
  readonly charge: () => Promise<void>
  /** Told why a document was not accepted. */
  readonly onRefused: (id: string, reason: string) => void
  /** Monotonic milliseconds, for tests. */
  readonly now?: () => number
}) {
  const known = lru<string, Known>(MOST_DOCUMENTS)
  const reading = underWay<string, ClientMetadata | undefined>()
  const read = async (id: string, before: Known | undefined): Promise<ClientMetadata | undefined> => {
    let isAway = false
    const fresh = await readDocument(get, id).catch((error: unknown) => {
      isAway = error instanceof HostAway
      onRefused(id, error instanceof Error ? error.message : String(error))
      return undefined
    })
    const at = now()
    const goodAt = fresh === undefined ? (before?.goodAt ?? Number.NEGATIVE_INFINITY) : at
    const metadata = fresh ?? (isAway && at - goodAt < STALE_MS ? before?.metadata : undefined)
    known.set(id, {
      metadata,
      readAt: fresh === undefined ? at - KEPT_MS.accepted + KEPT_MS.refused : at,
      goodAt,
    })
    return metadata
  }
  return Object.freeze({
    /** Undefined when there is no such document, or it describes no client that may be used. */
    find: async (id: string): Promise<ClientMetadata | undefined> => {
      if (!isDocumentAddress(id)) return undefined
      const before = known.get(id)
      if (before !== undefined && now() - before.readAt < KEPT_MS.accepted) return before.metadata
      if (reading.known(id) === undefined) await charge()
      return reading.join(id, () => read(id, before))
    },
  })
}

/** Only the usual spelling of an https address with a path, so that each document has one name. */
function isDocumentAddress(id: string): boolean {
  const url = URL.parse(id)
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.href === id &&
    url.pathname !== '/' &&
    url.username === '' &&
    url.password === '' &&
    !id.includes('#')
  )
}

async function readDocument(get: GetPinned, id: string): Promise<ClientMetadata> {
  const {
    status,
    contentType = '',
    body,
  } = await get(new URL(id), {
    headers: ['accept', 'application/json', 'accept-encoding', 'identity', 'user-agent', 'pharos-OAuth/1.0'],
    signal: AbortSignal.timeout(BOUNDS.timeMs),
  }).catch((cause: unknown) => {
    throw new HostAway(cause instanceof Error ? cause.message : String(cause), { cause })
  })
  if (status >= 500) throw new HostAway(`the answer has status ${status}`)
  if (status !== 200) throw new Error(`the answer has status ${status}`)
  // What people upload to a host is seldom served as JSON. So whoever may only upload cannot speak for the host.
  if (!JSON_TYPE.test(contentType)) throw new Error('the answer is not JSON by its type')
  if (body.length > BOUNDS.bytes) throw new Error(`the document has more than ${BOUNDS.bytes} bytes`)
  const document = readJson(body)
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new Error('the document is no object')
  const { client_id, client_secret } = { ...document } as Readonly<Record<string, unknown>>
  if (client_id !== id) throw new Error('client_id is not the address of the document')
  const described = describedClient(document)
  // A secret in a public document is none.
  if (client_secret !== undefined || described.authMethod !== 'none')
    throw new Error('the client would have a secret')
  return clientMetadata(id, described)
}
