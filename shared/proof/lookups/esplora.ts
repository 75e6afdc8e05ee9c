// Questions to Esplora about a Bitcoin network.
import { integerIn, type Question, stringIn } from './lookup.ts'

export interface BitcoinBlock {
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
