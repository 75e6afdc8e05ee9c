// Lookups over HTTP: Horizon, Esplora and the NIST beacon, each answer read strictly.
import type { Lookup, Lookups } from './lookups.ts'

export interface LookupAddresses {
  readonly horizonPublic: string
  readonly horizonTestnet: string
  readonly esploraMainnet: string
  readonly esploraTestnet: string
  readonly nist: string
}

/**
 * One GET, bounded in time and bytes. `body` is what the JSON said; undefined when it was none, which a 404 may well be.
 * `failure` says in a few words why there is no answer. Does not throw for what the network does.
 */
export type GetJson = (
  url: string,
) => Promise<{ readonly status: number; readonly body: unknown } | { readonly failure: string }>

/** One attempt per question; base addresses are settings, and what a bundle says is only ever a checked part of the path. */
export function httpLookups({
  getJson,
  addresses,
}: {
  getJson: GetJson
  addresses: LookupAddresses
}): Lookups {
  const ask = async <Found>(
    base: string,
    path: string,
    read: (body: unknown) => Found | undefined,
  ): Promise<Lookup<Found>> => {
    const answer = await getJson(`${base.replace(/\/+$/, '')}/${path}`)
    if ('failure' in answer) return { outcome: 'unreachable', why: answer.failure }
    if (answer.status === 404) return { outcome: 'absent' }
    if (answer.status !== 200)
      return { outcome: 'unreachable', why: `it answered with status ${answer.status}` }
    const value = read(answer.body)
    return value === undefined
      ? { outcome: 'unreachable', why: 'its answer is not readable' }
      : { outcome: 'found', value }
  }
  const horizon = (network: string): string =>
    network === 'public' ? addresses.horizonPublic : addresses.horizonTestnet
  const esplora = { mainnet: addresses.esploraMainnet, testnet: addresses.esploraTestnet }
  return {
    stellarTransaction: (network, hash) =>
      ask(horizon(network), `transactions/${hash}`, (body) => {
        const memoType = stringIn(body, 'memo_type')
        const ledger = integerIn(body, 'ledger')
        if (memoType === undefined || ledger === undefined) return undefined
        return {
          hash: stringIn(body, 'hash'),
          successful: booleanIn(body, 'successful'),
          memo_type: memoType,
          memo: stringIn(body, 'memo'),
          ledger,
          created_at: stringIn(body, 'created_at'),
        }
      }),
    stellarLedger: (network, sequence) =>
      ask(horizon(network), `ledgers/${sequence}`, (body) => {
        const hash = stringIn(body, 'hash')
        const closedAt = stringIn(body, 'closed_at')
        if (hash === undefined || closedAt === undefined) return undefined
        return { sequence: integerIn(body, 'sequence'), hash, closed_at: closedAt }
      }),
    bitcoinBlock: (network, hash) =>
      ask(esplora[network], `block/${hash}`, (body) => {
        const height = integerIn(body, 'height')
        const timestamp = integerIn(body, 'timestamp')
        if (height === undefined || timestamp === undefined) return undefined
        return { id: stringIn(body, 'id'), height, timestamp }
      }),
    nistPulse: (chainIndex, pulseIndex) =>
      ask(addresses.nist, `chain/${chainIndex}/pulse/${pulseIndex}`, (body) => {
        const pulse = memberIn(body, 'pulse')
        const outputValue = stringIn(pulse, 'outputValue')
        const timeStamp = stringIn(pulse, 'timeStamp')
        if (outputValue === undefined || timeStamp === undefined) return undefined
        const indices = {
          chainIndex: integerIn(pulse, 'chainIndex'),
          pulseIndex: integerIn(pulse, 'pulseIndex'),
        }
        return { ...indices, outputValue, timeStamp }
      }),
  }
}

function memberIn(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  return Object.getOwnPropertyDescriptor(body, name)?.value
}

function stringIn(body: unknown, name: string): string | undefined {
  const value = memberIn(body, name)
  return typeof value === 'string' ? value : undefined
}

function booleanIn(body: unknown, name: string): boolean | undefined {
  const value = memberIn(body, name)
  return typeof value === 'boolean' ? value : undefined
}

function integerIn(body: unknown, name: string): number | undefined {
  const value = memberIn(body, name)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}
