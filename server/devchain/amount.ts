// Amounts are numbers of whole coins on the wire and satoshis inside.
import { COIN } from './parameters.ts'

export const inCoins = (satoshis: number): number => satoshis / COIN
