// The checks of a transaction that need no other data.
import type { Transaction } from '../../shared/proof/bitcoin/transaction.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import { COIN, DUST, SEQUENCE_FINAL, SHORTEST_TRANSACTION, STANDARD_WEIGHT } from './parameters.ts'
import { refuseCall } from './rpc_refusal.ts'
import { isUnspendable } from './script.ts'
import { isCoinbase, strippedSize, weightOf } from './transaction_form.ts'

/** @throws RpcRefusal with Bitcoin Core's word for the first failed check */
export function checkForm(transaction: Transaction): void {
  const complaint = CHECKS.find(([, isWrong]) => isWrong(transaction))
  if (complaint !== undefined) throw refuseCall('refused', complaint[0])
}

const MOST_MONEY = 21_000_000n * BigInt(COIN)

const CHECKS: readonly (readonly [complaint: string, isWrong: (transaction: Transaction) => boolean])[] = [
  ['bad-txns-vin-empty', ({ inputs }) => inputs.length === 0],
  ['bad-txns-vout-empty', ({ outputs }) => outputs.length === 0],
  ['tx-size', (transaction) => weightOf(transaction) > STANDARD_WEIGHT],
  ['bad-txns-vout-toolarge', ({ outputs }) => outputs.some(({ value }) => value > MOST_MONEY)],
  [
    'bad-txns-txouttotal-toolarge',
    ({ outputs }) => outputs.reduce((sum, { value }) => sum + value, 0n) > MOST_MONEY,
  ],
  ['bad-txns-inputs-duplicate', spendsTwice],
  ['coinbase', isCoinbase],
  ['version', ({ version }) => version < 1 || version > 2],
  ['tx-size-small', (transaction) => strippedSize(transaction) < SHORTEST_TRANSACTION],
  ['dust', ({ outputs }) => outputs.some(({ value, script }) => value < DUST && !isUnspendable(script))],
  ['non-final', (transaction) => saysTime(transaction)],
  ['non-BIP68-final', (transaction) => saysAge(transaction)],
]

function spendsTwice({ inputs }: Transaction): boolean {
  const spent = inputs.map((input) => `${toHex(input.previousTransaction)}:${input.previousOutput}`)
  return new Set(spent).size < spent.length
}

/** Time locks are refused, because this chain mines on demand and its blocks can be removed in tests. */
const saysTime = ({ lockTime, inputs }: Transaction): boolean =>
  lockTime > 0 && inputs.some(({ sequence }) => sequence !== SEQUENCE_FINAL)

const saysAge = ({ version, inputs }: Transaction): boolean =>
  version >= 2 && inputs.some(({ sequence }) => sequence < AGE_DISABLED && sequence !== 0)

/** An input with this sequence or a higher one has no relative time lock (BIP68). */
const AGE_DISABLED = 0x8000_0000
