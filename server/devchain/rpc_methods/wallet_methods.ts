// What the wallet does: it counts its coins, pays for transactions and signs them.
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { type Transaction, writeTransaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual, toHex } from '../../../shared/proof/bytes.ts'
import { type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import { addressOf } from '../address.ts'
import { inCoins, readAmount } from '../amount.ts'
import { underChainLock } from '../chain_lock.ts'
import { type Funding, fundTransaction } from '../fund_transaction.ts'
import type { DevchainNode, RpcMethods } from '../node.ts'
import { SEQUENCE_FINAL, SEQUENCE_REPLACEABLE, WALLET_FEE_RATE } from '../parameters.ts'
import { optional, readFlag, readInteger, readNumber, readObject } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { readTip } from '../stored_block.ts'
import { type Coin, coinsAt } from '../stored_transaction.ts'
import { readDraft } from '../transaction_form.ts'
import { WALLET_NAME } from '../wallet.ts'
import { spendableCoins, walletBalance } from '../wallet_coins.ts'
import { decode } from './raw_transaction_methods.ts'

/** Coins that one answer lists. */
const MOST_LISTED = 1_000

export const walletMethods: RpcMethods = {
  getbalance: async ({ em, wallet }) => inCoins(await walletBalance(em, wallet.script)),

  getwalletinfo: async ({ em, wallet }) => ({
    walletname: WALLET_NAME,
    balance: inCoins(await walletBalance(em, wallet.script)),
    private_keys_enabled: true,
    scanning: false,
  }),

  listwallets: async () => [WALLET_NAME],

  /** The wallet has one address, and so it is never a new one. */
  getnewaddress: async ({ wallet }) => addressOf(wallet.script),

  listunspent: async ({ em, wallet }, [least]) => {
    const minimum = optional(least, 'minconf', readInteger) ?? 1
    const { height } = await readTip(em)
    const coins = await spendableCoins(em, { script: wallet.script, standing: 'chain', limit: MOST_LISTED })
    return coins
      .map((coin) => ({ ...coin, confirmations: height - (coin.height ?? height) + 1 }))
      .filter(({ confirmations }) => confirmations >= minimum)
      .map(({ txid, n, amount, confirmations }) => ({
        txid: displayHash(txid),
        vout: n,
        address: addressOf(wallet.script),
        scriptPubKey: toHex(wallet.script),
        amount: inCoins(amount),
        confirmations,
        spendable: true,
        solvable: true,
        safe: true,
      }))
  },

  fundrawtransaction: async ({ em, wallet }, [hex, options]) => {
    const draft = decode(hex, readDraft)
    const funding = readFunding(optional(options, 'options', readObject) ?? {}, draft)
    const { transaction, fee, changePosition } = await underChainLock(em, (inside) =>
      fundTransaction({ em: inside, wallet }, draft, funding),
    )
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
    feeRate: readFeeRate(memberOf(options, 'fee_rate'), memberOf(options, 'feeRate')),
    changePosition,
    lock: optional(memberOf(options, 'lockUnspents'), 'lockUnspents', readFlag) ?? false,
    sequence: mayReplace ? SEQUENCE_REPLACEABLE : SEQUENCE_FINAL - 1,
  }
}

/** Those that change nothing here are taken all the same: there is one key, and every coin is our own. */
const FUNDING_OPTIONS: ReadonlySet<string> = new Set([
  'fee_rate',
  'feeRate',
  'changePosition',
  'lockUnspents',
  'replaceable',
  'add_inputs',
  'includeWatching',
  'include_unsafe',
  'change_type',
  'conf_target',
  'estimate_mode',
])

/** `fee_rate` is satoshis per virtual byte, `feeRate` coins per thousand of them. */
function readFeeRate(perByte: JsonValue | undefined, perThousand: JsonValue | undefined): number {
  const given = optional(perByte, 'fee_rate', readRate)
  if (given !== undefined) return given
  return perThousand === undefined || perThousand === null ? WALLET_FEE_RATE : readAmount(perThousand) / 1000
}

/** Beyond this a rate is a mistake. */
const MOST_FEE_RATE = 100_000

function readRate(value: JsonValue | undefined, name: string): number {
  const rate =
    typeof value === 'string' && /^\d{1,9}(\.\d{1,3})?$/.test(value) ? Number(value) : readNumber(value, name)
  if (rate < 0 || rate > MOST_FEE_RATE) throw refuseCall('wrong_type', `${name} out of range`)
  return rate
}
