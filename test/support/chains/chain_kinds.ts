// The ground of each public chain for the conformance suite. A chain without one does not compile.
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { bitcoinKind } from './bitcoin_ground.ts'
import type { ChainKind } from './chain_ground.ts'
import { stellarKind } from './stellar_ground.ts'

export const CHAIN_KINDS: Readonly<Record<ChainName, ChainKind>> = {
  bitcoin: bitcoinKind,
  stellar: stellarKind,
}
