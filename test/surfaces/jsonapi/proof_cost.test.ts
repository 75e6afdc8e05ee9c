// What the largest request to the proof routes may cost: ten times a plain request of the same bytes, and 50 ms.
import { describe, expect, it } from 'vitest'
import { plainCborOf } from '../../../shared/proof/bundle/write_bundle.ts'
import { vectors } from '../../proof/vectors.ts'
import { type Answer, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { sendsWithinCost } from '../cpu_time.ts'

const MAX_PROOF_BYTES = 262_144
const MOST_REPORT_BYTES = 1_048_576

const app = testApp()

const published = vectors.bundles.item?.published
if (published === undefined) throw new Error('There is no known item.')
const post = (path: string, body: string): Promise<Answer> =>
  ask(app.port, `/api/json${path}`, {
    key: app.owner.key,
    headers: { 'Content-Type': 'application/vnd.api+json' },
    body,
  })

const sendWithinCost = sendsWithinCost((bytes) =>
  post('/utilities/hash', JSON.stringify({ data: { text: 'x'.repeat(bytes) } })),
)

const bundleOf = (claims: unknown) =>
  JSON.parse(JSON.stringify({ ...published, subject: { ...published.subject, claims } }))

/** The base64 of a bundle whose claims are these CBOR bytes over and over, as many as fit. */
function cborOf(open: string, unit: (at: number) => string): string {
  const [start, end] = Buffer.from(plainCborOf(bundleOf({ a: 'here' })))
    .toString('hex')
    .split('6468657265')
  const parts = [start, open]
  let room = 2 * (MAX_PROOF_BYTES - 16) - (start?.length ?? 0) - (end?.length ?? 0)
  for (let at = 0; ; at += 1) {
    const hex = unit(at)
    room -= hex.length
    if (room < 0) break
    parts.push(hex)
  }
  return Buffer.from([...parts, 'ff', end].join(''), 'hex').toString('base64')
}

const nameOf = (at: number): string => {
  const name = Buffer.from(at.toString(36))
  return `${(0x60 + name.length).toString(16)}${name.toString('hex')}f6`
}
const verifying = (proof: unknown) => JSON.stringify({ data: { proof, skip_external: true } })
const generating = (witnesses: unknown) =>
  JSON.stringify({ data: { id: published.subject?.id, type: 'item', witnesses } })
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
const [bitcoin, stellar] = published.commitments
const tiny = { chain: 'bitcoin', epoch_proof: 'AA', epoch_merkle_root: '', txoutproof: '' }

const verifications: [string, string][] = [
  ['claims of many names', verifying(cborOf('bf', nameOf))],
  ['claims of empty maps', verifying(cborOf('9f', () => 'a0'))],
  ['claims of numbers', verifying(cborOf('9f', () => '00'))],
  ['claims as deep as they go', verifying(cborOf('9f', () => `${'81'.repeat(50)}00`))],
  ['lists in lists', `{"data":{"proof":{"a":[${times(5_000, '['.repeat(50) + ']'.repeat(50)).join(',')}]}}}`],
  ['commitments', verifying({ ...published, commitments: times(3_000, tiny) })],
  [
    'commitments of a key event',
    verifying({
      ...published,
      signing_key_event: { ...published.signing_key_event, commitments: times(600, stellar) },
    }),
  ],
  ['blocks between', verifying({ ...published, block_path: times(900, published.block) })],
  ['a path', verifying({ ...published, inclusion_proof: 'A'.repeat(255_000) })],
  [
    'a transaction',
    verifying({
      ...published,
      commitments: [{ ...bitcoin, raw_transaction: `0100000000feb4360000${'00'.repeat(9 * 14_004 + 4)}` }],
    }),
  ],
  [
    'a proof of a transaction',
    verifying({
      ...published,
      commitments: [
        { ...bitcoin, txoutproof: `${'00'.repeat(80)}ffffffff00fe00f40100${'ff'.repeat(128_000)}` },
      ],
    }),
  ],
  [
    'witnesses',
    verifying({
      ...published,
      subject: {
        ...published.subject,
        witnesses: Object.fromEntries(times(20_000, 0).map((_, at) => [`k${at}`, at])),
      },
    }),
  ],
]

const generations: [string, string][] = [
  ['names of witnesses', generating(times(60_000, 'moon'))],
  ['witnesses that are no names', generating(times(150_000, {}))],
  ['one long name', generating(['x'.repeat(500_000)])],
]

describe('the largest request', () => {
  it.each([
    ...verifications.map(([what, body]) => ['/proof/verify', what, body] as const),
    ...generations.map(([what, body]) => ['/proof/generate', what, body] as const),
  ])(
    'to %s, full of %s, costs no more than it may, and is answered briefly',
    { timeout: 120_000 },
    async (path, _, body) => {
      const { status, text } = await sendWithinCost(body, () => post(path, body))
      expect([201, 400]).toContain(status)
      expect(Buffer.byteLength(text)).toBeLessThan(MOST_REPORT_BYTES)
    },
  )
})
