// The public chains that were named, ready to be used; the development chain when none was.
import type { Log } from '../../../kernel/log.ts'
import type { MasterKey } from '../../../kernel/sealed.ts'
import type { Store } from '../../../store/open_store.ts'
import { bitcoinChain } from './bitcoin.ts'
import { openBitcoinRpc } from './bitcoin_rpc.ts'
import type { Chain, ChainName } from './chain.ts'
import { startEmbeddedChain } from './embedded/start_embedded_chain.ts'
import type { StellarOptions } from './stellar.ts'

/** `embedded`: a Bitcoin chain of our own, for trials. */
export type ChainChoice = ChainName | 'embedded'

export interface ChainChoices {
  /** None: nothing is committed anywhere. */
  readonly names: readonly ChainChoice[]
  /** Milliseconds from epoch to epoch. */
  readonly intervals: Readonly<Record<ChainChoice, number>>
  /** `rpcUrl` may hold user and password: never log it. */
  readonly bitcoin: { readonly rpcUrl: string | undefined; readonly confirmations: number }
  readonly stellar: Omit<StellarOptions, 'secret' | 'timeoutMs'> & { readonly secret: string | undefined }
}

export interface ConfiguredChain {
  readonly choice: ChainChoice
  readonly chain: Chain
  readonly intervalMs: number
}

export interface ConfiguredChains {
  readonly all: readonly ConfiguredChain[]
  /** What the chains themselves need; the chains are closed by whoever uses them. */
  readonly close: () => Promise<void>
}

/** Said wherever the development chain shows. */
export const EMBEDDED_CAVEAT = 'a development chain inside this service: it proves nothing to anybody outside'

/** Nothing is asked of a public chain yet: one that is away does not keep the service from starting. */
export async function openConfiguredChains(
  parts: { readonly store: Store; readonly masterKey: MasterKey; readonly log: Log },
  choices: ChainChoices,
): Promise<ConfiguredChains> {
  const all: ConfiguredChain[] = []
  const closers: (() => Promise<void>)[] = []
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
        const embedded = await startEmbeddedChain(parts)
        closers.push(embedded.close)
        add(name, bitcoinChain({ rpc: openBitcoinRpc(embedded.rpcUrl), confirmations: 1 }))
        parts.log.warn({ chain: 'bitcoin', network: 'regtest', caveat: EMBEDDED_CAVEAT }, 'chain.embedded')
        break
      }
      default:
        name satisfies never
    }
  return Object.freeze({
    all,
    close: async () => {
      await Promise.all(closers.map((close) => close()))
    },
  })
}

function named(value: string | undefined, setting: string): string {
  if (value === undefined) throw new Error(`${setting} is not set.`)
  return value
}
