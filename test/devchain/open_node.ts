// A development chain on a database of its own, and a client that speaks to it as to any Bitcoin node.
import { pino } from 'pino'
import { startDevchain } from '../../server/devchain/start_devchain.ts'
import { openWallet } from '../../server/devchain/wallet.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { openStore, type Store } from '../../server/store/open_store.ts'
import { controlDevchain, type DevchainControl } from '../support/chains/devchain_control.ts'
import { cloneDatabase } from '../support/database.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'

/** The wallet that every test's node has. */
export const testWallet = openWallet({ masterKey: masterKey(TEST_MASTER_KEY) })

export const controlOf = (store: Store): DevchainControl =>
  controlDevchain({ store, script: testWallet.script })

export type Call = <Result>(method: string, ...parameters: unknown[]) => Promise<Result>

type Devchain = Awaited<ReturnType<typeof startDevchain>>

export interface TestNode {
  readonly store: Store
  /** The first server on the database. */
  readonly chain: Devchain
  readonly call: Call
  readonly control: DevchainControl
  /** Another server on the same database, or the same one again after it was closed. */
  readonly startAnother: (on?: Store) => Promise<{ chain: Devchain; call: Call }>
  /** Another pool on the same database, with its clock off by an interval such as `-1 hour`. */
  readonly openSkewed: (clockOffset: string) => Promise<Store>
  readonly close: () => Promise<void>
}

export class RpcError extends Error {
  readonly code: number
  readonly status: number

  constructor(status: number, { code, message }: { code: number; message: string }) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** Long enough that a test decides itself when a block is mined. */
export const NEVER_MS = 3_600_000

/** @param through makes the url of something in between (a fault proxy) from the database's */
export async function openTestNode(
  mineAfterMs = NEVER_MS,
  through: (url: string) => string = (url) => url,
): Promise<TestNode> {
  const database = await cloneDatabase()
  const store = openStore({ url: through(database.url), poolSize: 6 })
  const key = masterKey(TEST_MASTER_KEY)
  const opened: { readonly close: () => Promise<unknown> }[] = [store]
  const startAnother = async (on: Store = store) => {
    const collaborators = { store: on, masterKey: key, log: pino({ level: 'silent' }) }
    const chain = await startDevchain(collaborators, { mineAfterMs })
    opened.push(chain)
    return { chain, call: clientOf(chain.rpcUrl) }
  }
  const first = await startAnother()
  return {
    store,
    control: controlOf(store),
    ...first,
    startAnother,
    openSkewed: async (clockOffset) => {
      const skewed = openStore({ url: database.url, poolSize: 2, clockOffset })
      opened.push(skewed)
      return skewed
    },
    close: async () => {
      for (const one of opened.toReversed()) await one.close()
      await database.drop()
    },
  }
}

/** Throws RpcError where the node answers with an error. */
export function clientOf(rpcUrl: string): Call {
  return async <Result>(method: string, ...parameters: unknown[]): Promise<Result> => {
    const { status, text } = await post(rpcUrl, JSON.stringify({ id: 1, method, params: parameters }))
    const { result, error } = JSON.parse(text)
    if (error !== null) throw new RpcError(status, error)
    return result
  }
}

export async function post(
  rpcUrl: string,
  body: string,
  init: { method?: string; credentials?: string; path?: string } = {},
): Promise<{ status: number; text: string }> {
  const url = new URL(rpcUrl)
  const credentials = init.credentials ?? `${url.username}:${url.password}`
  const answer = await fetch(`${url.origin}${init.path ?? url.pathname}`, {
    method: init.method ?? 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    ...(init.method === 'GET' ? {} : { body }),
  })
  return { status: answer.status, text: await answer.text() }
}

export interface Sent {
  readonly txid: string
  readonly hex: string
}

/** Commits the data, the way a client of Bitcoin Core does. */
export async function prepareData(
  call: Call,
  data: string,
  { inputs = [], feeRate = 2 }: { inputs?: unknown[]; feeRate?: number } = {},
): Promise<string> {
  const draft = await call<string>('createrawtransaction', inputs, [{ data }])
  const funded = await call<{ hex: string }>('fundrawtransaction', draft, {
    fee_rate: feeRate,
    changePosition: 1,
    replaceable: true,
  })
  const signed = await call<{ hex: string; complete: boolean }>('signrawtransactionwithwallet', funded.hex)
  if (!signed.complete) throw new Error('The wallet did not sign everything.')
  return signed.hex
}

export async function sendData(call: Call, data: string): Promise<Sent> {
  const hex = await prepareData(call, data)
  return { hex, txid: await call<string>('sendrawtransaction', hex) }
}
