// Questions to public services and their answers: Horizon, Esplora, and the NIST beacon.
import { integerIn, type LookupPlace, memberIn, type Question, stringIn } from './lookup.ts'

const question = <Found>(
  place: LookupPlace,
  path: string,
  read: (body: unknown) => Found | undefined,
): Question<Found> => ({ place, path, read })

/** @param hash display order, 64 hex, as `id` of the answer is. Its `timestamp` is in Unix seconds. */
export const bitcoinBlock = (network: 'mainnet' | 'testnet', hash: string) =>
  question(esploraOf(network), `block/${hash}`, (body) => {
    const height = integerIn(body, 'height')
    const timestamp = integerIn(body, 'timestamp')
    if (height === undefined || timestamp === undefined) return undefined
    return { id: stringIn(body, 'id'), height, timestamp }
  })

/**
 * The header of the block at a height, among the ten that the service lists from there downwards. `merkleRoot` is 64 hex,
 * as Bitcoin shows it, and `timestamp` in Unix seconds.
 */
export const bitcoinBlockAt = (network: 'mainnet' | 'testnet', height: number) =>
  question(esploraOf(network), `blocks/${height}`, (body) => {
    const block = Array.isArray(body) ? body.find((one) => integerIn(one, 'height') === height) : undefined
    const merkleRoot = stringIn(block, 'merkle_root')
    const timestamp = integerIn(block, 'timestamp')
    return merkleRoot === undefined || timestamp === undefined ? undefined : { merkleRoot, timestamp }
  })

const esploraOf = (network: 'mainnet' | 'testnet'): LookupPlace =>
  network === 'mainnet' ? 'esploraMainnet' : 'esploraTestnet'

export type StellarTransaction = NonNullable<ReturnType<ReturnType<typeof stellarTransaction>['read']>>

export const stellarTransaction = (network: string, hash: string) =>
  question(horizonOf(network), `transactions/${hash}`, (body) => {
    const memoType = stringIn(body, 'memo_type')
    const ledger = integerIn(body, 'ledger')
    if (memoType === undefined || ledger === undefined) return undefined
    return {
      hash: stringIn(body, 'hash'),
      successful: memberIn(body, 'successful'),
      memo_type: memoType,
      /** base64 when the memo is a hash. */
      memo: stringIn(body, 'memo'),
      ledger,
      /** The time when that ledger closed. */
      created_at: stringIn(body, 'created_at'),
    }
  })

export const stellarLedger = (network: string, sequence: number) =>
  question(horizonOf(network), `ledgers/${sequence}`, (body) => {
    const hash = stringIn(body, 'hash')
    const closedAt = stringIn(body, 'closed_at')
    if (hash === undefined || closedAt === undefined) return undefined
    return { sequence: integerIn(body, 'sequence'), hash, closed_at: closedAt }
  })

/** `public` selects the public network; any other text selects the test network. */
const horizonOf = (network: string): LookupPlace =>
  network === 'public' ? 'horizonPublic' : 'horizonTestnet'

export const nistPulse = (chainIndex: number, pulseIndex: number) =>
  question('nist', `chain/${chainIndex}/pulse/${pulseIndex}`, (body) => {
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
  })
