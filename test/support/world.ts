// Lookups whose answers a test sets, question by question.

import type { Lookup, LookupPlace, Lookups, Question } from '../../shared/proof/lookups/lookup.ts'
import type {
  bitcoinBlock,
  nistPulse,
  stellarLedger,
  stellarTransaction,
} from '../../shared/proof/lookups/public_services.ts'

type Answer<Ask> = Ask extends (...given: never[]) => Question<infer Found> ? Promise<Lookup<Found>> : never

export interface World {
  readonly stellarTransaction: (network: string, hash: string) => Answer<typeof stellarTransaction>
  readonly stellarLedger: (network: string, sequence: number) => Answer<typeof stellarLedger>
  readonly bitcoinBlock: (network: string, hash: string) => Answer<typeof bitcoinBlock>
  readonly nistPulse: (chainIndex: number, pulseIndex: number) => Answer<typeof nistPulse>
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
