// Amounts on the wire are decimal numbers of whole coins with up to eight places; inside they are satoshis.
import { COIN } from './parameters.ts'
import { refuseCall } from './rpc_refusal.ts'

export const inCoins = (satoshis: number): number => satoshis / COIN

/** A number or its text, exact to the satoshi. @throws RpcRefusal for more places, a sign, or anything else */
export function readAmount(value: unknown): number {
  const text = typeof value === 'number' ? decimal(value) : value
  if (typeof text !== 'string') throw refuseCall('wrong_type', 'Amount is not a number or string')
  const match = /^(\d{1,8})(?:\.(\d{1,8}))?$/.exec(text)
  if (match === null) throw refuseCall('wrong_type', 'Invalid amount')
  const [, whole = '', places = ''] = match
  return Number(whole) * COIN + Number(places.padEnd(8, '0'))
}

/** Eight places when they say all of the number; otherwise its own spelling, which is then refused. */
function decimal(value: number): string {
  const text = value.toFixed(8)
  return Number(text) === value ? text : String(value)
}
