// Lookups over HTTP: exactly the documented requests, and only readable answers count.
import { describe, expect, it } from 'vitest'
import {
  type GetJson,
  httpLookups,
  type Lookups,
  look,
  lookupAddresses,
} from '../../shared/proof/lookups/lookup.ts'
import {
  bitcoinBlock,
  nistPulse,
  stellarLedger,
  stellarTransaction,
} from '../../shared/proof/lookups/public_services.ts'

const addresses = {
  ...lookupAddresses((place) => `https://${place}`),
  horizonPublic: 'https://horizon.public',
  horizonTestnet: 'https://horizon.testnet/',
  esploraMainnet: 'https://esplora/api',
  esploraTestnet: 'https://esplora/testnet/api',
  nist: 'https://nist/beacon/2.0',
}
const hash = 'ab'.repeat(32)

const created_at = '2027-01-01T00:00:00Z'
const transaction = {
  hash,
  successful: true,
  memo_type: 'hash',
  memo: 'AAAA',
  ledger: 7,
  created_at,
  more: 1,
}
const ledger = { hash, closed_at: '2027-01-01T00:00:00Z', sequence: 3 }
const block = { id: hash, height: 5, timestamp: 9 }
const pulse = { pulse: { outputValue: 'AB', timeStamp: '2027-01-01T00:00:00.000Z', chainIndex: 2 } }

interface Case {
  name: string
  ask: (lookups: Lookups) => Promise<unknown>
  url: string
  body: object
  value: object
  unreadable: unknown[]
}

const cases: Case[] = [
  {
    name: 'a transaction of the public network',
    ask: (lookups) => look(lookups, stellarTransaction('public', hash)),
    url: `https://horizon.public/transactions/${hash}`,
    body: transaction,
    value: { hash, successful: true, memo_type: 'hash', memo: 'AAAA', ledger: 7, created_at },
    unreadable: [{ ...transaction, ledger: '7' }, { ...transaction, memo_type: undefined }, [transaction]],
  },
  {
    name: 'a transaction of any other network',
    ask: (lookups) => look(lookups, stellarTransaction('moon', hash)),
    url: `https://horizon.testnet/transactions/${hash}`,
    body: { memo_type: 'none', ledger: 7 },
    value: { memo_type: 'none', ledger: 7 },
    unreadable: [Object.create(transaction)],
  },
  {
    name: 'a ledger',
    ask: (lookups) => look(lookups, stellarLedger('testnet', 3)),
    url: 'https://horizon.testnet/ledgers/3',
    body: ledger,
    value: ledger,
    unreadable: [{ ...ledger, hash: 1 }, { hash }],
  },
  {
    name: 'a Bitcoin block',
    ask: (lookups) => look(lookups, bitcoinBlock('mainnet', hash)),
    url: `https://esplora/api/block/${hash}`,
    body: block,
    value: block,
    unreadable: [{ ...block, height: 5.5 }, { ...block, timestamp: null }, 'Block not found'],
  },
  {
    name: 'a Bitcoin block of the test network',
    ask: (lookups) => look(lookups, bitcoinBlock('testnet', hash)),
    url: `https://esplora/testnet/api/block/${hash}`,
    body: block,
    value: block,
    unreadable: [null],
  },
  {
    name: 'a pulse',
    ask: (lookups) => look(lookups, nistPulse(2, 1234568)),
    url: 'https://nist/beacon/2.0/chain/2/pulse/1234568',
    body: pulse,
    value: pulse.pulse,
    unreadable: [{ pulse: [] }, { pulse: { ...pulse.pulse, timeStamp: 1 } }, {}],
  },
]

describe.each(cases)('$name', ({ ask, url, body, value, unreadable }) => {
  const answered = async (answer: Awaited<ReturnType<GetJson>>) => {
    const asked: string[] = []
    const getJson: GetJson = async (address) => {
      asked.push(address)
      return answer
    }
    const outcome = await ask(httpLookups({ getJson, addresses }))
    expect(asked).toEqual([url])
    return outcome
  }

  it('is found, absent or out of reach', async () => {
    expect(await answered({ status: 200, body })).toEqual({ outcome: 'found', value })
    expect(await answered({ status: 404, body: undefined })).toEqual({ outcome: 'absent' })
    expect(await answered({ failure: 'it took too long' })).toEqual({
      outcome: 'unreachable',
      why: 'it took too long',
    })
    for (const status of [204, 301, 400, 410, 429, 500])
      expect(await answered({ status, body })).toMatchObject({ outcome: 'unreachable' })
    for (const other of unreadable)
      expect(await answered({ status: 200, body: other })).toMatchObject({ outcome: 'unreachable' })
  })
})
