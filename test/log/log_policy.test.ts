// Policies: the form is read to the letter, and a quorum is met by enough witnesses and no fewer.
import { describe, expect, it } from 'vitest'
import { meetsQuorum, POLICY_CEILINGS, readPolicy, writePolicy } from '../../shared/log/log_policy.ts'
import { SIGNATURE_TYPES, verifierKey, writeVerifierKey } from '../../shared/log/verifier_key.ts'
import { utf8 } from '../../shared/proof/bytes.ts'
import { known } from './known_notes.ts'

const LOG = known.cosigned.log_key

/** A key of a witness, another for each number. */
const key = (number: number): string =>
  writeVerifierKey(
    verifierKey(`w${number}.example`, SIGNATURE_TYPES.ed25519Cosignature, new Uint8Array(32).fill(number)),
  )

const witnesses = (...names: readonly string[]): string =>
  names.map((name, index) => `witness ${name} ${key(index + 1)}\n`).join('')

const read = (text: string) => readPolicy(utf8(text))

const TWO_LEVELS = `log ${LOG}

${witnesses('X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3')}
group X-witnesses 2 X1 X2 X3
group Y-witnesses any Y1 Y2 Y3
group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`

describe('a policy', () => {
  it.each([
    [true, ['X1', 'X3', 'Y2']],
    [true, ['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3']],
    [false, ['X1', 'Y1', 'Y2', 'Y3']],
    [false, ['X1', 'X2', 'X3']],
    [false, ['X1', 'X2', 'Z1']],
    [false, []],
  ])('with groups of groups is met: %s, by %j', (met, cosigned) => {
    expect(meetsQuorum(read(TWO_LEVELS), new Set(cosigned))).toBe(met)
  })

  it('may need one witness, or none', () => {
    const one = read(`${witnesses('W')}quorum W\n`)
    expect(meetsQuorum(one, new Set())).toBe(false)
    expect(meetsQuorum(one, new Set(['W']))).toBe(true)
    expect(meetsQuorum(read('quorum none\n'), new Set())).toBe(true)
  })

  it('is written as it is read', () => {
    const policy = read(`${TWO_LEVELS}log ${known.signed_note[0]?.key} https://log.example/\n`)
    expect(policy.logs[1]?.url).toBe('https://log.example/')
    expect(readPolicy(writePolicy(policy))).toEqual(policy)
  })

  it('may have comments, blanks, tabs, and addresses', () => {
    const policy = read(` \t# comment\n\t witness\tW  ${key(1)} \t https://w.example/a \n\n \nquorum W`)
    expect(policy.witnesses).toMatchObject([{ name: 'W', url: 'https://w.example/a' }])
  })

  it('may have bytes that are not UTF-8 in comments and names, and names them apart', () => {
    const bytes = (text: string): Uint8Array => Uint8Array.from(text, (one) => one.charCodeAt(0))
    const twice = `# \xe9\nwitness \xe9 ${key(1)}\nwitness \xc3\xa9 ${key(2)}\nquorum \xe9\n`
    const policy = readPolicy(bytes(twice))
    expect(meetsQuorum(policy, new Set(['\xe9']))).toBe(true)
    expect(meetsQuorum(policy, new Set(['\xc3\xa9']))).toBe(false)
    expect(readPolicy(writePolicy(policy))).toEqual(policy)
    expect(() => readPolicy(bytes(`witness W ${key(1)} https://\xe9/\nquorum W\n`))).toThrow('line 1')
  })

  it('may have at least 32 logs, 32 witnesses, and 32 groups inside each other', () => {
    const names = Array.from({ length: 32 }, (_, index) => `w${index}`)
    const logs = names.map((name, index) => {
      const publicKey = new Uint8Array(32).fill(index)
      return `log ${writeVerifierKey(verifierKey(name, SIGNATURE_TYPES.ed25519, publicKey))}\n`
    })
    const groups = names.map(
      (name, index) => `group g${index} any ${index === 0 ? '' : `g${index - 1} `}${name}\n`,
    )
    const policy = read(`${logs.join('')}${witnesses(...names)}${groups.join('')}quorum g31\n`)
    expect(meetsQuorum(policy, new Set(['w0']))).toBe(true)
  })

  it('takes witnesses by ML-DSA-44', () => {
    expect(read(`witness W ${known.cosigned.ml_dsa_44_key}\nquorum W\n`).witnesses[0]?.key.type).toBe(0x06)
  })

  it.each([
    ['no quorum', 'log x', 'line 1'],
    ['nothing', '', 'no quorum'],
    ['two quorums', 'quorum none\nquorum none\n', 'line 2'],
    ['a quorum that is defined later', `quorum W\n${witnesses('W')}`, 'line 1'],
    ['a quorum of two names', `${witnesses('V', 'W')}quorum V W\n`, 'line 3'],
    ['another keyword', 'witnes W\n', 'line 1'],
    ['a comment behind an item', 'quorum none # always\n', 'line 1'],
    ['a witness of the name none', `witness none ${key(1)}\n`, 'line 1'],
    ['a name twice', `witness W ${key(1)}\nwitness W ${key(2)}\n`, 'line 2'],
    ['a key twice', `witness V ${key(1)}\nwitness W ${key(1)}\n`, 'line 2'],
    ['a public key under two names', twoNames(), 'line 2'],
    ['a log twice', `log ${LOG}\nlog ${LOG}\n`, 'line 2'],
    ['the key of a log for a witness', `witness W ${LOG}\n`, 'not supported'],
    ['the key of a witness for a log', `log ${key(1)}\n`, 'not supported'],
    ['a key of an unknown type', 'witness W a.example+00000000+BQAA\n', 'not supported'],
    ['too many items for a log', `log ${LOG} https://a/ x\n`, 'line 1'],
    ['too many items for a witness', `witness W ${key(1)} https://a/ x\n`, 'line 1'],
    ['an empty group', `${witnesses('W')}group G all\n`, 'line 2'],
    ['a group of an unknown name', 'group G all W\n', 'line 1'],
    ['a group of itself', 'group G all G\n', 'line 1'],
    ['a group of none', 'group G any none\n', 'line 1'],
    ['a member twice in a group', `${witnesses('W')}group G 1 W W\n`, 'line 2'],
    ['a member of two groups', `${witnesses('W')}group G any W\ngroup H any W\n`, 'line 3'],
    ['a threshold of 0', `${witnesses('W')}group G 0 W\n`, 'line 2'],
    ['a threshold above the members', `${witnesses('W')}group G 2 W\n`, 'line 2'],
    ['a threshold that is not decimal', `${witnesses('W')}group G 01 W\n`, 'line 2'],
    ['a carriage return', 'quorum none\r\n', 'control'],
    ['too many lines', '\n'.repeat(POLICY_CEILINGS.lines), 'too many lines'],
    ['too many bytes', '#'.repeat(POLICY_CEILINGS.bytes + 1), 'too long'],
  ])('with %s is refused, and the line is named', (_, text, words) => {
    expect(() => read(text)).toThrow(RangeError)
    expect(() => read(text)).toThrow(words)
  })
})

function twoNames(): string {
  const publicKey = new Uint8Array(32).fill(1)
  const names = ['v.example', 'w.example']
  return names
    .map((name) => verifierKey(name, SIGNATURE_TYPES.ed25519Cosignature, publicKey))
    .map((one, index) => `witness w${index} ${writeVerifierKey(one)}\n`)
    .join('')
}
