// The public chains that were named, ready to be used.

import type { ChainName } from '../../../../shared/proof/public_chains.ts'
import type { Log } from '../../../kernel/log.ts'
import { bitcoinChain } from './bitcoin.ts'
import { openBitcoinRpc } from './bitcoin_rpc.ts'
import type { Chain } from './chain.ts'
import type { StellarOptions } from './stellar.ts'

/** `embedded`: the development chain, a Bitcoin node inside this service, for trials. */
export type ChainChoice = ChainName | 'embedded'

/** One length for each. */
export const epochIntervals = (
  of: (choice: ChainChoice) => number,
): Readonly<Record<ChainChoice, number>> => ({
  bitcoin: of('bitcoin'),
  stellar: of('stellar'),
  embedded: of('embedded'),
})

export interface ChainChoices {
  /** None: nothing is committed anywhere. */
  readonly names: readonly ChainChoice[]
  /** Milliseconds from epoch to epoch. */
  readonly intervals: Readonly<Record<ChainChoice, number>>
  /** `rpcUrl` may hold user and password: never log it. */
  readonly bitcoin: { readonly rpcUrl: string | undefined; readonly confirmations: number }
  readonly stellar: Omit<StellarOptions, 'secret' | 'timeoutMs'> & { readonly secret: string | undefined }
}

/** Where nodes answer that start with the service. The address holds a password: never log it. */
export interface OwnNodes {
  readonly embedded: { readonly rpcUrl: string } | undefined
}

export interface ConfiguredChain {
  readonly choice: ChainChoice
  readonly chain: Chain
  readonly intervalMs: number
}

/** Said wherever the development chain shows. */
export const EMBEDDED_CAVEAT = 'a development chain inside this service: it proves nothing to anybody outside'

/**
 * Asks nothing of a public chain yet: one that is away does not keep the service from starting. Whoever uses the chains
 * closes them.
 */
export async function openConfiguredChains(
  { log, nodes }: { readonly log: Log; readonly nodes: OwnNodes },
  choices: ChainChoices,
): Promise<readonly ConfiguredChain[]> {
  const all: ConfiguredChain[] = []
  const add = (choice: ChainChoice, chain: Chain) =>
    all.push({ choice, chain, intervalMs: choices.intervals[choice] })
  for (const name of new Set(choices.names))
    switch (name) {
      case 'bitcoin': {
        const { rpcUrl, confirmations } = choices.bitcoin
        add(name, bitcoinChain({ rpc: openBitcoinRpc(named(rpcUrl, 'BITCOIN_RPC_URL')), confirmations }))
        break
      }
      case 'stellar': {
        const secret = named(choices.stellar.secret, 'STELLAR_SECRET')
        // Its SDK takes half a second to load.
        const { createStellarChain } = await import('./stellar.ts')
        add(name, createStellarChain({ ...choices.stellar, secret }))
        break
      }
      case 'embedded': {
        if (nodes.embedded === undefined) throw new Error('The development chain was not started.')
        add(name, bitcoinChain({ rpc: openBitcoinRpc(nodes.embedded.rpcUrl), confirmations: 1 }))
        log.warn({ chain: 'bitcoin', network: 'regtest', caveat: EMBEDDED_CAVEAT }, 'chain.embedded')
        break
      }
      default:
        name satisfies never
    }
  return all
}

function named(value: string | undefined, setting: string): string {
  if (value === undefined) throw new Error(`${setting} is not set.`)
  return value
}
