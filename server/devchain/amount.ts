// Amounts are whole coins in the RPC protocol and satoshis in the code.
import { COIN } from './parameters.ts'

export const inCoins = (satoshis: number): number => satoshis / COIN
