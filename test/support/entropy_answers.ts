// Answers of the public sources in their real shapes, including members that the service does not read, and
// the payloads made from them.
import type { JsonObject } from '../../shared/proof/json_value.ts'
import type { LookupPlace } from '../../shared/proof/lookups/lookup.ts'
import type { AnswerWith } from './answering_server.ts'

export interface SourceAnswers {
  /** All requests to the source with their answers, in order. */
  readonly answers: readonly (readonly [path: string, answer: AnswerWith])[]
  /** The JSON answer and its path. */
  readonly document: { readonly path: string; readonly body: object }
  readonly payload: JsonObject
  readonly publishedAt: string
  /** What a verifier asks for about this payload, and the answer. */
  readonly lookup: { readonly place: LookupPlace; readonly path: string; readonly body: object }
}

const BITCOIN_HASH = '000000000000000000019f9613bf2e825a878267a161bb4d9b971440eefa50ea'
const OUTPUT_VALUE = '0668248515970A783D89B35539AAB318'.repeat(4)

/** The pulse of one minute. `pulseIndex` counts minutes. */
export function nistAnswers(minute = 0): SourceAnswers {
  const timeStamp = new Date(Date.UTC(2025, 0, 1) + minute * 60_000).toISOString()
  const pulseIndex = 1_234_567 + minute
  const body = {
    pulse: {
      uri: `https://beacon.nist.gov/beacon/2.0/chain/2/pulse/${pulseIndex}`,
      version: 'Version 2.0',
      cipherSuite: 0,
      period: 60_000,
      certificateId: 'ab'.repeat(64),
      chainIndex: 2,
      pulseIndex,
      timeStamp,
      localRandomValue: 'CD'.repeat(64),
      external: { sourceId: '00'.repeat(64), statusCode: 0, value: '00'.repeat(64) },
      listValues: [
        {
          uri: 'https://beacon.nist.gov/beacon/2.0/chain/2/pulse/1',
          type: 'previous',
          value: 'EF'.repeat(64),
        },
      ],
      precommitmentValue: 'A0'.repeat(64),
      statusCode: 0,
      signatureValue: 'B1'.repeat(512),
      outputValue: OUTPUT_VALUE,
    },
  }
  const payload = {
    pulse: { chainIndex: 2, outputValue: OUTPUT_VALUE, pulseIndex, timeStamp, version: 'Version 2.0' },
  }
  const lookup = { place: 'nist', path: `chain/2/pulse/${pulseIndex}`, body } as const
  return { ...answering('/pulse/last', body, payload, timeStamp), lookup }
}

export function stellarAnswers(): SourceAnswers {
  const ledger = {
    hash: 'ee08596f5127f2077042ba06da9ebbbdcfd5cf22a2e8ebd7df7973ee779db7dd',
    sequence: 60_000_001,
    closed_at: '2025-01-01T00:00:21Z',
  }
  const self = 'https://horizon.stellar.org/ledgers?cursor=&limit=1&order=desc'
  const record = {
    _links: { self: { href: `https://horizon.stellar.org/ledgers/${ledger.sequence}` } },
    id: ledger.hash,
    paging_token: '257698041675612160',
    ...ledger,
    prev_hash: '12'.repeat(32),
    successful_transaction_count: 214,
    failed_transaction_count: 87,
    operation_count: 531,
    total_coins: '50001806812.6204110',
    fee_pool: '7493391.6434541',
    base_fee_in_stroops: 100,
    protocol_version: 23,
    header_xdr: 'AAAAFw==',
  }
  const body = {
    _links: { self: { href: self }, next: { href: self }, prev: { href: self } },
    _embedded: { records: [record] },
  }
  const lookup = { place: 'horizonPublic', path: `ledgers/${ledger.sequence}`, body: record } as const
  return { ...answering('/ledgers?order=desc&limit=1', body, ledger, '2025-01-01T00:00:21.000Z'), lookup }
}

export function bitcoinAnswers(): SourceAnswers {
  const body = {
    id: BITCOIN_HASH,
    height: 877_258,
    version: 541_065_216,
    timestamp: 1_735_689_600,
    tx_count: 3_209,
    size: 1_585_203,
    weight: 3_993_225,
    merkle_root: '34'.repeat(32),
    previousblockhash: `${'0'.repeat(20)}${'56'.repeat(22)}`,
    mediantime: 1_735_686_000,
    nonce: 3_411_862_034,
    bits: 385_990_214,
    difficulty: 148_195_306_640_204.7,
  }
  const payload = { hash: BITCOIN_HASH, height: 877_258, time: 1_735_689_600 }
  const block = answering(`/block/${BITCOIN_HASH}`, body, payload, '2025-01-01T00:00:00.000Z')
  const lookup = { place: 'esploraMainnet', path: `block/${BITCOIN_HASH}`, body } as const
  return { ...block, answers: [['/blocks/tip/hash', BITCOIN_HASH], ...block.answers], lookup }
}

const answering = (
  path: string,
  body: object,
  payload: JsonObject,
  publishedAt: string,
): Omit<SourceAnswers, 'lookup'> => ({
  answers: [[path, JSON.stringify(body)]],
  document: { path, body },
  payload,
  publishedAt,
})
