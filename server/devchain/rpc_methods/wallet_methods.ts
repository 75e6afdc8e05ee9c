// RPC methods with which the wallet funds and signs transactions.
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { type Transaction, writeTransaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual, toHex } from '../../../shared/proof/bytes.ts'
import { type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import { type Funding, fundTransaction } from '../fund_transaction.ts'
import type { DevchainNode, RpcMethods } from '../node.ts'
import { inCoins, SEQUENCE_FINAL, SEQUENCE_REPLACEABLE, WALLET_FEE_RATE } from '../parameters.ts'
import { optional, readFlag, readInteger, readNumber, readObject } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { type Coin, coinsAt } from '../stored_transaction.ts'
import { readDraft } from '../transaction_form.ts'
import { decode } from './raw_transaction_methods.ts'

export const walletMethods: RpcMethods = {
  fundrawtransaction: async ({ em, wallet }, [hex, options]) => {
    const draft = decode(hex, readDraft)
    const funding = readFunding(optional(options, 'options', readObject) ?? {}, draft)
    const { transaction, fee, changePosition } = await fundTransaction({ em, wallet }, draft, funding)
    return { hex: toHex(writeTransaction(transaction)), fee: inCoins(fee), changepos: changePosition }
  },

  signrawtransactionwithwallet: async ({ em, wallet }, [hex]) => {
    const draft = decode(hex, readDraft)
    const coins = await coinsAt(em, draft.inputs)
    const signed = sign(wallet, draft, coins)
    const errors = signed.inputs.flatMap((input, at) =>
      isOurs(wallet, coins[at])
        ? []
        : [
            {
              txid: displayHash(input.previousTransaction),
              vout: input.previousOutput,
              witness: input.witness.map(toHex),
              scriptSig: toHex(input.script),
              sequence: input.sequence,
              error:
                coins[at] === undefined ? 'Input not found or already spent' : 'Not an output of this wallet',
            },
          ],
    )
    const answer = { hex: toHex(writeTransaction(signed)), complete: errors.length === 0 }
    return errors.length === 0 ? answer : { ...answer, errors }
  },
}

const isOurs = (wallet: DevchainNode['wallet'], coin: Coin | undefined): boolean =>
  coin?.live === true && coin.spenderHeight === null && bytesEqual(coin.script, wallet.script)

const sign = (
  wallet: DevchainNode['wallet'],
  draft: Transaction,
  coins: readonly (Coin | undefined)[],
): Transaction => ({
  ...draft,
  inputs: draft.inputs.map((input, at) => {
    const coin = coins[at]
    return coin !== undefined && isOurs(wallet, coin)
      ? { ...input, witness: wallet.witness(draft, at, coin.amount) }
      : input
  }),
})

function readFunding(options: JsonObject, { outputs }: Transaction): Funding {
  for (const name of Object.keys(options))
    if (!FUNDING_OPTIONS.has(name)) throw refuseCall('wrong_type', `Unexpected key ${name.slice(0, 50)}`)
  const changePosition = optional(memberOf(options, 'changePosition'), 'changePosition', readInteger)
  if (changePosition !== undefined && (changePosition < 0 || changePosition > outputs.length))
    throw refuseCall('invalid_parameter', 'changePosition out of bounds')
  const mayReplace = optional(memberOf(options, 'replaceable'), 'replaceable', readFlag) ?? true
  return {
    feeRate: optional(memberOf(options, 'fee_rate'), 'fee_rate', readFeeRate) ?? WALLET_FEE_RATE,
    changePosition,
    sequence: mayReplace ? SEQUENCE_REPLACEABLE : SEQUENCE_FINAL - 1,
  }
}

const FUNDING_OPTIONS: ReadonlySet<string> = new Set(['fee_rate', 'changePosition', 'replaceable'])

/** A higher rate is refused as a mistake. */
const MOST_FUNDING_RATE = 100_000

/** Satoshis per virtual byte. */
function readFeeRate(value: JsonValue | undefined, name: string): number {
  const rate = readNumber(value, name)
  if (rate < 0 || rate > MOST_FUNDING_RATE) throw refuseCall('wrong_type', `${name} out of range`)
  return rate
}
