// The reader of the entries of each public chain, by chain name.
import type { ChainName } from '../public_chains.ts'
import { readBitcoinEntry } from './bitcoin_commitment.ts'
import type { ChainReader } from './entry_evidence.ts'
import { readStellarEntry } from './stellar_commitment.ts'

export const CHAIN_READERS: Readonly<Record<ChainName, ChainReader>> = {
  stellar: readStellarEntry,
  bitcoin: readBitcoinEntry,
}
