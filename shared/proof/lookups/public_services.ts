// Questions to public services and their answers: Horizon, Esplora, and the NIST beacon.
import { booleanIn, integerIn, type LookupPlace, memberIn, type Question, stringIn } from './lookup.ts'

interface BitcoinBlock {
  /** The block hash, display order. */
  readonly id: string | undefined
  readonly height: number
  /** Unix seconds. */
  readonly timestamp: number
}

/** @param hash display order, 64 hex */
export const bitcoinBlock = (network: 'mainnet' | 'testnet', hash: string): Question<BitcoinBlock> => ({
  place: network === 'mainnet' ? 'esploraMainnet' : 'esploraTestnet',
  path: `block/${hash}`,
  read: (body) => {
    const height = integerIn(body, 'height')
    const timestamp = integerIn(body, 'timestamp')
    if (height === undefined || timestamp === undefined) return undefined
    return { id: stringIn(body, 'id'), height, timestamp }
  },
})

interface BitcoinHeader {
  /** 64 hex, as Bitcoin shows it. */
  readonly merkleRoot: string
  /** Unix seconds. */
  readonly timestamp: number
}

/** The header of the block at a height, among the ten that the service lists from there downwards. */
export const bitcoinBlockAt = (network: 'mainnet' | 'testnet', height: number): Question<BitcoinHeader> => ({
  place: network === 'mainnet' ? 'esploraMainnet' : 'esploraTestnet',
  path: `blocks/${height}`,
  read: (body) => {
    const block = Array.isArray(body) ? body.find((one) => integerIn(one, 'height') === height) : undefined
    const merkleRoot = stringIn(block, 'merkle_root')
    const timestamp = integerIn(block, 'timestamp')
    return merkleRoot === undefined || timestamp === undefined ? undefined : { merkleRoot, timestamp }
  },
})

export interface StellarTransaction {
  readonly hash: string | undefined
  readonly successful: boolean | undefined
  readonly memo_type: string
  /** base64 when the memo is a hash. */
  readonly memo: string | undefined
  readonly ledger: number
  /** The time when that ledger closed. */
  readonly created_at: string | undefined
}

interface StellarLedger {
  readonly sequence: number | undefined
  readonly hash: string
  readonly closed_at: string
}

export const stellarTransaction = (network: string, hash: string): Question<StellarTransaction> => ({
  place: horizonOf(network),
  path: `transactions/${hash}`,
  read: (body) => {
    const memoType = stringIn(body, 'memo_type')
    const ledger = integerIn(body, 'ledger')
    if (memoType === undefined || ledger === undefined) return undefined
    return {
      hash: stringIn(body, 'hash'),
      successful: booleanIn(body, 'successful'),
      memo_type: memoType,
      memo: stringIn(body, 'memo'),
      ledger,
      created_at: stringIn(body, 'created_at'),
    }
  },
})

export const stellarLedger = (network: string, sequence: number): Question<StellarLedger> => ({
  place: horizonOf(network),
  path: `ledgers/${sequence}`,
  read: (body) => {
    const hash = stringIn(body, 'hash')
    const closedAt = stringIn(body, 'closed_at')
    if (hash === undefined || closedAt === undefined) return undefined
    return { sequence: integerIn(body, 'sequence'), hash, closed_at: closedAt }
  },
})

/** `public` selects the public network; any other text selects the test network. */
const horizonOf = (network: string): LookupPlace =>
  network === 'public' ? 'horizonPublic' : 'horizonTestnet'

interface NistPulse {
  readonly chainIndex: number | undefined
  readonly pulseIndex: number | undefined
  readonly outputValue: string
  readonly timeStamp: string
}

export const nistPulse = (chainIndex: number, pulseIndex: number): Question<NistPulse> => ({
  place: 'nist',
  path: `chain/${chainIndex}/pulse/${pulseIndex}`,
  read: (body) => {
    const pulse = memberIn(body, 'pulse')
    const outputValue = stringIn(pulse, 'outputValue')
    const timeStamp = stringIn(pulse, 'timeStamp')
    if (outputValue === undefined || timeStamp === undefined) return undefined
    return {
      chainIndex: integerIn(pulse, 'chainIndex'),
      pulseIndex: integerIn(pulse, 'pulseIndex'),
      outputValue,
      timeStamp,
    }
  },
})
