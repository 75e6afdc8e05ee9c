// The public sources that are recorded, by their short names in the settings: the newest entry of each.
import type { EntropyName } from '../../../shared/proof/entropy_names.ts'
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
import type { Source } from './source.ts'

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
export type SourceChoice = Short<EntropyName>

export const SOURCES: Readonly<Record<SourceChoice, Source>> = { nist, stellar, bitcoin }

export const isSourceChoice = (name: string): name is SourceChoice => Object.hasOwn(SOURCES, name)

export const SOURCE_CHOICES: readonly SourceChoice[] = Object.keys(SOURCES).filter(isSourceChoice)

/** Something for each source. */
export const sourceAddresses = <Of>(
  of: (choice: SourceChoice) => Of,
): Readonly<Record<SourceChoice, Of>> => ({
  nist: of('nist'),
  stellar: of('stellar'),
  bitcoin: of('bitcoin'),
})
