// Public entropy sources: the newest entry of each that is recorded, by its short name in the settings, and its reading
// within bounds. Every source passes the same conformance suite.
import type { EntropyName } from '../../../shared/proof/entropy_names.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { boundedRequest, RequestFailed } from '../../outgoing/bounded_request.ts'
import {
  AnswerWrong,
  countMember,
  HASH,
  instantMember,
  objectMember,
  objectOf,
  onlyElement,
  textMember,
} from '../../outgoing/strict_answer.ts'

/** The answer of a source. */
export interface Reading {
  /**
   * The source's members as printed, and no others, so that the same pulse, ledger or block gives the same payload.
   */
  readonly payload: JsonObject
  readonly publishedAt: Date
}

/** The body of a 200 answer for a path below the source's base address. */
type Ask = (path: string) => Promise<Buffer>

interface Source {
  readonly name: EntropyName
  /** The default base address. The setting `ENTROPY_…_URL` replaces it. */
  readonly byDefault: string
  /** Description of that setting. */
  readonly meaning: string
  /** Reads the newest entry. @throws AnswerWrong when the answer does not have exactly the expected form */
  readonly read: (ask: Ask) => Promise<Reading>
}

export interface SourceAt {
  readonly source: Source
  /** The base address in use, without a trailing slash. */
  readonly address: string
}

/** `bad_status`: the status was not 200. `bad_answer`: a 200 answer with wrong content. */
export const SOURCE_FAILURES = ['timeout', 'too_large', 'unreachable', 'bad_status', 'bad_answer'] as const
export type SourceFailure = (typeof SOURCE_FAILURES)[number]

/**
 * Why there is no reading this time. The message is for people and repeats nothing of the answer but a member's name.
 */
export class SourceFailed extends Error {
  readonly reason: SourceFailure

  constructor(reason: SourceFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceFailed'
    this.reason = reason
  }
}

/** Bytes of one answer, and so of what is captured of it. */
export const SOURCE_BYTES = 1_048_576

/** `timeoutMs` is for a whole reading, `maxBytes` for one answer. */
const BOUNDS = { timeoutMs: 10_000, maxBytes: SOURCE_BYTES } as const

interface ReadingBounds {
  readonly timeoutMs?: number | undefined
  /** Aborts the reading, which then fails as unreachable. */
  readonly signal?: AbortSignal | undefined
}

/** @throws SourceFailed for everything that the source does wrong */
export async function readSource(
  { source, address }: SourceAt,
  { timeoutMs = BOUNDS.timeoutMs, signal }: ReadingBounds = {},
): Promise<Reading> {
  const until = performance.now() + timeoutMs
  const ask: Ask = async (path) => {
    const left = Math.ceil(until - performance.now())
    if (left <= 0) throw new SourceFailed('timeout', `no reading within ${timeoutMs} ms`)
    const { status, body } = await boundedRequest(`${address}${path}`, {
      headers: { accept: 'application/json, text/plain', 'user-agent': 'pharos' },
      timeoutMs: left,
      maxBytes: BOUNDS.maxBytes,
      ...(signal === undefined ? {} : { signal }),
    })
    if (status !== 200) throw new SourceFailed('bad_status', `answered ${status} instead of 200`)
    return body
  }
  try {
    return await source.read(ask)
  } catch (error) {
    if (error instanceof RequestFailed) throw new SourceFailed(error.reason, error.message, { cause: error })
    if (error instanceof AnswerWrong) throw new SourceFailed('bad_answer', error.message, { cause: error })
    throw error
  }
}

/**
 * The newest pulse of the NIST Randomness Beacon, version 2.0 (NISTIR 8213). Payload: `{"pulse": {"chainIndex": 2,
 * "outputValue": "0668…B7A9", "pulseIndex": 1234567, "timeStamp": "…", "version": "2.0"}}`
 */
const nist: Source = {
  name: 'entropy_nist',
  byDefault: 'https://beacon.nist.gov/beacon/2.0',
  meaning: 'NIST Randomness Beacon, version 2.0',
  read: async (ask) => {
    const pulse = objectMember(objectOf(await ask('/pulse/last')), 'pulse')
    const { text: timeStamp, at: publishedAt } = instantMember(pulse, 'timeStamp')
    return {
      payload: {
        pulse: {
          chainIndex: countMember(pulse, 'chainIndex'),
          outputValue: textMember(pulse, 'outputValue', OUTPUT_VALUE),
          pulseIndex: countMember(pulse, 'pulseIndex'),
          timeStamp,
          version: textMember(pulse, 'version', VERSION),
        },
      },
      publishedAt,
    }
  },
}

/** 64 bytes. The beacon prints capitals. Either case is kept, but a mix of both is rejected. */
const OUTPUT_VALUE = /^(?:[0-9A-F]{128}|[0-9a-f]{128})$/

/** e.g. `Version 2.0` */
const VERSION = /^[\x20-\x7e]{1,64}$/

/**
 * The newest closed ledger of the Stellar network, from Horizon. Payload: `{"closed_at": "2027-01-01T00:00:21Z",
 * "hash": "ee08…b7dd", "sequence": 60000001}`. Other members (cursors, counts, links) may differ between Horizon
 * servers and are left out.
 */
const stellar: Source = {
  name: 'entropy_stellar',
  byDefault: 'https://horizon.stellar.org',
  meaning:
    'Horizon whose newest ledger is recorded; of the network that epochs are committed to, or the public one',
  read: async (ask) => {
    const answer = objectOf(await ask('/ledgers?order=desc&limit=1'))
    const ledger = onlyElement(objectMember(answer, '_embedded'), 'records')
    const { text, at: publishedAt } = instantMember(ledger, 'closed_at')
    return {
      payload: {
        closed_at: text,
        hash: textMember(ledger, 'hash', HASH),
        sequence: countMember(ledger, 'sequence'),
      },
      publishedAt,
    }
  },
}

/**
 * The tip of Bitcoin's main chain, from an Esplora API. Payload: `{"hash": "0000…50ea", "height": 980000, "time":
 * 1798761300}`. Reads the tip's hash first, then the block with that hash. The second request is the same one that
 * verifiers send later, and a new tip between the requests does no harm.
 */
const bitcoin: Source = {
  name: 'entropy_bitcoin',
  byDefault: 'https://blockstream.info/api',
  meaning: 'Esplora API whose newest mainnet block is recorded',
  read: async (ask) => {
    const hash = (await ask('/blocks/tip/hash')).toString('latin1').trim()
    if (!HASH.test(hash)) throw new AnswerWrong('the hash of the tip is not 64 hex characters')
    const block = objectOf(await ask(`/block/${hash}`))
    if (textMember(block, 'id', HASH) !== hash)
      throw new AnswerWrong('the block is not the one that was asked for')
    const time = countMember(block, 'timestamp')
    return {
      payload: { hash, height: countMember(block, 'height'), time },
      publishedAt: new Date(time * 1_000),
    }
  },
}

type Short<Name> = Name extends `entropy_${infer Rest}` ? Rest : never

/** The name in `ENTROPY_SOURCES`: `nist` for `entropy_nist`. */
type SourceChoice = Short<EntropyName>

export const SOURCES: Readonly<Record<SourceChoice, Source>> = { nist, stellar, bitcoin }

const isSourceChoice = (name: string): name is SourceChoice => Object.hasOwn(SOURCES, name)

export const SOURCE_CHOICES: readonly SourceChoice[] = Object.keys(SOURCES).filter(isSourceChoice)

/** Something for each source. */
export const sourceAddresses = <Of>(
  of: (choice: SourceChoice) => Of,
): Readonly<Record<SourceChoice, Of>> => ({
  nist: of('nist'),
  stellar: of('stellar'),
  bitcoin: of('bitcoin'),
})
