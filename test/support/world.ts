// Lookups whose answers a test sets, question by question.

import type { Lookup, LookupPlace, Lookups } from '../../shared/proof/lookups/lookup.ts'
import type {
  BitcoinBlock,
  NistPulse,
  StellarLedger,
  StellarTransaction,
} from '../../shared/proof/lookups/public_services.ts'

export interface World {
  readonly stellarTransaction: (network: string, hash: string) => Promise<Lookup<StellarTransaction>>
  readonly stellarLedger: (network: string, sequence: number) => Promise<Lookup<StellarLedger>>
  readonly bitcoinBlock: (network: string, hash: string) => Promise<Lookup<BitcoinBlock>>
  readonly nistPulse: (chainIndex: number, pulseIndex: number) => Promise<Lookup<NistPulse>>
}

const NETWORKS: Readonly<Partial<Record<LookupPlace, string>>> = {
  horizonPublic: 'public',
  horizonTestnet: 'testnet',
  esploraMainnet: 'mainnet',
  esploraTestnet: 'testnet',
}

export const lookupsOf = (world: World): Lookups => ({
  ask: async (place, path) => {
    const network = NETWORKS[place] ?? ''
    const [kind, first = '', , second] = path.split('/')
    switch (kind) {
      case 'transactions':
        return world.stellarTransaction(network, first)
      case 'ledgers':
        return world.stellarLedger(network, Number(first))
      case 'block':
        return world.bitcoinBlock(network, first)
      case 'chain': {
        const answer = await world.nistPulse(Number(first), Number(second))
        return answer.outcome === 'found' ? { outcome: 'found', value: { pulse: answer.value } } : answer
      }
      default:
        throw new Error(`Nobody asks for ${path}.`)
    }
  },
})
