// The policy of the operator: what cannot be used is refused with its reason, and what we publish is about our log.
import { describe, expect, it } from 'vitest'
import { publishedPolicy, readWitnessing } from '../../../server/domain/log/witnesses.ts'
import { readPolicy } from '../../../shared/log/log_policy.ts'
import { SIGNATURE_TYPES, verifierKey, writeVerifierKey } from '../../../shared/log/verifier_key.ts'
import { utf8 } from '../../../shared/proof/bytes.ts'

const LOG = verifierKey('ledger.example/log', SIGNATURE_TYPES.ed25519, new Uint8Array(32).fill(1))
const OTHER = verifierKey('other.example/log', SIGNATURE_TYPES.ed25519, new Uint8Array(32).fill(2))
const W1 = verifierKey('w1.example', SIGNATURE_TYPES.ed25519Cosignature, new Uint8Array(32).fill(3))
const W2 = verifierKey('w2.example', SIGNATURE_TYPES.ed25519Cosignature, new Uint8Array(32).fill(4))
const log = `log ${writeVerifierKey(LOG)}\n`
const w1 = `witness W1 ${writeVerifierKey(W1)}`
const w2 = `witness W2 ${writeVerifierKey(W2)}`

const read = (text: string) => readWitnessing(utf8(text), LOG)

describe('a policy for our log', () => {
  it('says whom to ask; one address may stand for several keys', () => {
    const policy = `${log}${w1} https://w.example/a/\n${w2} https://w.example/a\ngroup G all W1 W2\nquorum G\n`
    const { asked } = read(policy)
    expect(asked.map(({ prefix, witnesses }) => [prefix, witnesses.map(({ name }) => name)])).toEqual([
      ['https://w.example/a', ['W1', 'W2']],
    ])
  })

  it('is published without addresses of witnesses, with our own log alone', () => {
    const policy = `log ${writeVerifierKey(OTHER)}\n${log}${w1} https://internal.example/\nquorum W1\n`
    const published = readPolicy(
      publishedPolicy(read(policy), { key: LOG, url: 'https://ledger.example/log' }),
    )
    expect(published).toEqual({
      logs: [{ key: LOG, url: 'https://ledger.example/log' }],
      witnesses: [{ name: 'W1', key: W1 }],
      groups: [],
      quorum: 'W1',
    })
    const without = readPolicy(publishedPolicy(undefined, { key: LOG, url: 'https://ledger.example/log' }))
    expect(without).toMatchObject({ witnesses: [], quorum: undefined })
  })

  it.each([
    ['does not name our key', `log ${writeVerifierKey(OTHER)}\nquorum none\n`, 'no line for our own log'],
    ['names no log', 'quorum none\n', 'no line for our own log'],
    ['has too few addresses for its quorum', `${log}${w1}\nquorum W1\n`, 'too few for the quorum'],
    ['has an address of another kind', `${log}${w1} ftp://w.example\nquorum W1\n`, 'http or https'],
    ['has an address with a password', `${log}${w1} https://a:b@w.example\nquorum W1\n`, 'password'],
    ['has an address with a query', `${log}${w1} https://w.example/?a\nquorum W1\n`, 'query'],
    ['is malformed', `${log}quorum W1\n`, 'line 2'],
  ])('that %s is refused', (_, text, words) => expect(() => read(text)).toThrow(words))
})
