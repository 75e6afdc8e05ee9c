// Opens the public chains that the settings name.
import type { ChainName } from '../../../../shared/proof/public_chains.ts'
import type { Log } from '../../../kernel/log.ts'
import { paceOf } from '../series.ts'
import { bitcoinChain } from './bitcoin.ts'
import { openBitcoinRpc } from './bitcoin_rpc.ts'
import type { Chain } from './chain.ts'
import type { StellarOptions } from './stellar.ts'

/** `embedded` is the development chain, a Bitcoin node inside this service, for trials. */
export type ChainChoice = ChainName | 'embedded'

export interface ChainChoices {
  /** When empty, nothing is committed. */
  readonly names: readonly ChainChoice[]
  /** Length of an epoch in milliseconds. */
  readonly intervals: Readonly<Record<ChainChoice, number>>
  /** `rpcUrl` may contain a user name and password. Never log it. */
  readonly bitcoin: { readonly rpcUrl: string | undefined; readonly confirmations: number }
  readonly stellar: Omit<StellarOptions, 'secret' | 'timeoutMs'> & { readonly secret: string | undefined }
}

/** Addresses of nodes that the service starts itself. They contain a password. Never log them. */
interface OwnNodes {
  readonly embedded: { readonly rpcUrl: string } | undefined
}

export interface ConfiguredChain {
  readonly choice: ChainChoice
  readonly chain: Chain
  /** The length of an epoch in milliseconds. */
  readonly intervalMs: number
  /** How long the chain usually takes to confirm one. Only told. */
  readonly confirmMs: number
  /** Delay after a refusal, or while the chain cannot be reached. Only told. */
  readonly retryMs: number
}

/** Shown wherever the development chain appears. */
export const EMBEDDED_CAVEAT = 'a development chain inside this service: it proves nothing to anybody outside'

/**
 * Opens the chains without calling them, so that an unreachable chain does not stop the service from starting. The
 * caller owns the chains and must close them.
 */
export async function openConfiguredChains(
  { log, nodes }: { readonly log: Log; readonly nodes: OwnNodes },
  choices: ChainChoices,
): Promise<readonly ConfiguredChain[]> {
  const all: ConfiguredChain[] = []
  const add = (choice: ChainChoice, chain: Chain, confirmations = 1) => {
    const { confirm, retry } = paceOf(chain.name, choice === 'embedded' ? 'regtest' : '')
    const intervalMs = choices.intervals[choice]
    all.push({ choice, chain, intervalMs, confirmMs: confirmations * confirm, retryMs: retry })
  }
  for (const name of new Set(choices.names))
    switch (name) {
      case 'bitcoin': {
        const { rpcUrl, confirmations } = choices.bitcoin
        const rpc = openBitcoinRpc(named(rpcUrl, 'BITCOIN_RPC_URL'))
        add(name, bitcoinChain({ rpc, confirmations }), confirmations)
        break
      }
      case 'stellar': {
        const secret = named(choices.stellar.secret, 'STELLAR_SECRET')
        // Imported only when used, because the SDK takes half a second to load.
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
