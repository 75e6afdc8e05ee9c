// Rounds of witnessing: what honest witnesses cosign is shown, and what others do changes nothing else.
import { sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  logStanding,
  noteTextOf,
  openLogKey,
  type StoredCheckpoint,
} from '../../../server/domain/log/log_rows.ts'
import { witnessRound } from '../../../server/domain/log/witness_round.ts'
import {
  readWitnessing,
  type Witnessing,
  witnessedCheckpoint,
  witnessStandings,
} from '../../../server/domain/log/witnesses.ts'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { createGuard } from '../../../server/outgoing/guard.ts'
import { connectWitnesses } from '../../../server/service/public_log.ts'
import { writeCheckpoint } from '../../../shared/log/checkpoint.ts'
import { verifyCosignature } from '../../../shared/log/cosignature.ts'
import { isSignedBy, readNote, signatureBy, writeNote } from '../../../shared/log/signed_note.ts'
import { keyLabel, writeVerifierKey } from '../../../shared/log/verifier_key.ts'
import { utf8 } from '../../../shared/proof/bytes.ts'
import { testLedger } from '../../support/test_ledger.ts'
import {
  type Misbehave,
  openWitness,
  type TestWitness,
  type TestWitnessOptions,
} from '../../support/witness.ts'

/** Long enough for every machine. A round ends as soon as all have answered, or at the quorum. */
const PATIENT = { whole: 60_000, afterQuorum: 60_000, pause: 0 }
const ALLOWED = '127.0.0.0/8'

const ledger = testLedger()
let named = 0
const witnesses: TestWitness[] = []
afterAll(async () => {
  for (const one of witnesses) await one.close()
})

const em = () => ledger.store.em()

const newest = async (): Promise<StoredCheckpoint> => {
  const found = (await logStanding(em(), 0))?.newest
  if (found === undefined) throw new Error('There is no checkpoint.')
  return found
}

const nextCheckpoint = async (): Promise<StoredCheckpoint> => {
  await ledger.finalize()
  return newest()
}

const fresh = async (options: Partial<TestWitnessOptions> = {}): Promise<TestWitness> => {
  const { key } = await newest()
  named += 1
  const made = await openWitness({ name: `w${named}.example`, logKey: () => key.verifier, ...options })
  witnesses.push(made)
  return made
}

const policyOf = async (group: string, ...asked: readonly TestWitness[]): Promise<Witnessing> => {
  const { key } = await newest()
  const lines = asked.map((one, index) => one.policyLine(`W${index}`)).join('')
  const names = asked.map((_, index) => `W${index}`).join(' ')
  const text = `log ${writeVerifierKey(key.verifier)}\n${lines}group G ${group} ${names}\nquorum G\n`
  return readWitnessing(utf8(text), key.verifier)
}

interface Round {
  readonly outcome: Awaited<ReturnType<typeof witnessRound>>
  readonly evidence: readonly string[]
  readonly away: readonly string[]
}

const round = async (
  witnessing: Witnessing,
  checkpoint: StoredCheckpoint,
  {
    times = PATIENT,
    allow = ALLOWED,
    holder = 'one',
    signal = new AbortController().signal,
  }: { times?: typeof PATIENT; allow?: string; holder?: string; signal?: AbortSignal } = {},
): Promise<Round> => {
  const evidence: string[] = []
  const away: string[] = []
  const network = { allow: addressRanges(allow) }
  const guard = createGuard({ resolve: async () => [], allow: network.allow })
  const parts = {
    em,
    witnessing,
    connect: connectWitnesses(network, guard),
    onEvidence: async (note: Uint8Array) => void evidence.push(Buffer.from(note).toString()),
    onAway: (prefix: string, reason: string) => void away.push(`${prefix} ${reason}`),
    times,
  }
  return { outcome: await witnessRound(parts, checkpoint, { holder, signal }), evidence, away }
}

const shown = async (witnessing: Witnessing) => witnessedCheckpoint(em(), witnessing, await newest())

const standing = async (witnessing: Witnessing, { key }: TestWitness) => {
  const all = await witnessStandings(em(), witnessing, (await newest()).key.number)
  return all.find(({ witness }) => witness === keyLabel(key))
}

/** A checkpoint that our key has signed and that is not in the database. */
const signedElsewhere = async (size: number): Promise<Uint8Array> => {
  const { key } = await newest()
  const privateKey = await openLogKey({ em: em(), masterKey: ledger.masterKey }, key.number)
  const text = writeCheckpoint({ origin: key.verifier.name, size, root: new Uint8Array(32).fill(7) })
  const { name, id } = key.verifier
  return utf8(writeNote({ text, signatures: [{ name, id, signature: sign(null, utf8(text), privateKey) }] }))
}

describe('a round', () => {
  it('shows the checkpoint with the cosignatures of its witnesses, by both kinds of keys', async () => {
    const both = [await fresh(), await fresh({ type: 'ml-dsa-44' })]
    const witnessing = await policyOf('all', ...both)
    const checkpoint = await nextCheckpoint()
    expect(await shown(witnessing)).toBeUndefined()
    expect((await round(witnessing, checkpoint)).outcome).toBe('met')
    const { size, note: text = '' } = (await shown(witnessing)) ?? {}
    expect(size).toBe(checkpoint.size)
    const note = readNote(utf8(text))
    expect(isSignedBy(note, checkpoint.key.verifier)).toBe(true)
    expect(note.signatures.map(({ name }) => name)).toEqual([
      checkpoint.key.verifier.name,
      ...both.map(({ key }) => key.name),
    ])
    for (const { key } of both)
      expect(verifyCosignature(key, note.text, signatureBy(note.signatures, key) ?? utf8(''))).toBeDefined()
    // Offered once, and not again.
    expect((await round(witnessing, checkpoint)).outcome).toBe('idle')
    expect(both.map(({ heard }) => heard)).toEqual([[{ old: 0, size }], [{ old: 0, size }]])
  })

  it('goes on from what each witness has seen, and goes back when one has forgotten it', async () => {
    const [steady, forgetful] = [await fresh(), await fresh()]
    const witnessing = await policyOf('all', steady, forgetful)
    const { size: first } = await nextCheckpoint()
    await round(witnessing, await newest())
    const { size: second } = await nextCheckpoint()
    forgetful.remember(undefined)
    expect((await round(witnessing, await newest())).outcome).toBe('met')
    expect(steady.heard).toEqual([
      { old: 0, size: first },
      { old: first, size: second },
    ])
    expect(forgetful.heard.slice(1)).toEqual([
      { old: first, size: second },
      { old: 0, size: second },
    ])
  })

  it('leaves the newest checkpoint with a quorum shown while a newer one has none', async () => {
    const witness = await fresh()
    const witnessing = await policyOf('all', witness)
    const before = await nextCheckpoint()
    await round(witnessing, before)
    const text = (await shown(witnessing))?.note
    witness.behave((response) => response.writeHead(503).end())
    const after = await nextCheckpoint()
    expect((await round(witnessing, after)).outcome).toBe('not_met')
    expect(await shown(witnessing)).toEqual({ size: before.size, note: text })
    witness.behave(undefined)
    expect((await round(witnessing, after)).outcome).toBe('met')
    expect((await shown(witnessing))?.size).toBe(after.size)
  })

  it('ends soon after the quorum, which is shown before those that are slow have answered', async () => {
    const [quick, slow] = [await fresh(), await fresh()]
    slow.behave(() => undefined)
    const witnessing = await policyOf('any', quick, slow)
    const checkpoint = await nextCheckpoint()
    const times = { ...PATIENT, afterQuorum: 50 }
    expect((await round(witnessing, checkpoint, { times })).outcome).toBe('met')
    expect((await shown(witnessing))?.size).toBe(checkpoint.size)
    expect(await standing(witnessing, slow)).toMatchObject({ trouble: 'too_slow', cosigned_at: null })
    expect(await standing(witnessing, quick)).toMatchObject({ trouble: null, missing_since: null })
  })

  it('ends in its time when nobody answers, and at once when the server stops', async () => {
    const slow = await fresh()
    slow.behave(() => undefined)
    const witnessing = await policyOf('all', slow)
    const checkpoint = await nextCheckpoint()
    const times = { ...PATIENT, whole: 100 }
    expect((await round(witnessing, checkpoint, { times })).outcome).toBe('not_met')
    const { missing_since: since } = (await standing(witnessing, slow)) ?? {}
    const stop = new AbortController()
    slow.behave(() => stop.abort())
    expect((await round(witnessing, checkpoint, { signal: stop.signal })).outcome).toBe('not_met')
    expect(await standing(witnessing, slow)).toMatchObject({ trouble: 'too_slow', missing_since: since })
  })

  it('is made by one server at a time, and not again at once for the same size', async () => {
    const witness = await fresh()
    witness.behave((response) => response.writeHead(503).end())
    const witnessing = await policyOf('all', witness)
    const checkpoint = await nextCheckpoint()
    const paused = { times: { ...PATIENT, pause: 60_000 } }
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map(
        async (holder) => (await round(witnessing, checkpoint, { ...paused, holder })).outcome,
      ),
    )
    expect(outcomes.toSorted()).toEqual(['busy', 'busy', 'not_met'])
    expect((await round(witnessing, checkpoint, paused)).outcome).toBe('busy')
    expect((await round(witnessing, await nextCheckpoint(), { holder: 'b' })).outcome).toBe('not_met')
    expect(witness.heard).toEqual([])
  })
})

/** What a witness claims that never keeps to one size. */
let told = '0'

/** Roles in which a witness does not cosign, and what is said about it. */
const ROLES: readonly (readonly [string, string, Misbehave])[] = [
  ['does not know our log', 'unknown_log', (response) => response.writeHead(404).end()],
  ['refuses our key', 'refused', (response) => response.writeHead(403).end()],
  ['fails', 'invalid_answer', (response) => response.writeHead(500).end('oops')],
  ['sends elsewhere', 'invalid_answer', (response) => response.writeHead(302, { Location: '/x' }).end()],
  ['says nothing', 'invalid_answer', (response) => response.end()],
  ['says something else', 'invalid_answer', (response) => response.end('<html></html>')],
  ['sends what is not UTF-8', 'invalid_answer', (response) => response.end(Buffer.from([0xff, 0x0a]))],
  ['signs with another key', 'invalid_answer', (response) => response.end('— w.example AAAAAAAAAAA=\n')],
  ['sends without end', 'invalid_answer', (response) => response.end('x'.repeat(4_000_000))],
  ['hangs up', 'unreachable', (response) => response.destroy()],
  ['speaks no HTTP', 'unreachable', (response) => response.socket?.end('SSH-2.0-x\r\n')],
  [
    'sends interim answers without end',
    'unreachable',
    (response) => response.socket?.end('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
  ],
  [
    'has seen another tree and then hangs up',
    'saw_another_tree',
    (response, { method }) => (method === 'POST' ? response.writeHead(422).end() : response.destroy()),
  ],
  ['claims a size without its type', 'saw_another_tree', (response) => response.writeHead(409).end('1\n')],
  [
    'claims a size in another form',
    'saw_another_tree',
    (response) => response.writeHead(409, { 'Content-Type': 'text/x.tlog.size' }).end('01\n'),
  ],
  [
    'claims a larger size that we have not signed',
    'claims_larger_size',
    (response) => response.writeHead(409, { 'Content-Type': 'text/x.tlog.size' }).end('900000\n'),
  ],
  [
    'claims another size each time',
    'refused',
    (response) => {
      told = told === '1' ? '0' : '1'
      response.writeHead(409, { 'Content-Type': 'text/x.tlog.size' }).end(`${told}\n`)
    },
  ],
]

describe('a witness that', () => {
  // All of them at once.
  let witnessing: Witnessing
  let bad: readonly TestWitness[]
  let outcome: Round
  let missing: readonly (Awaited<ReturnType<typeof standing>> | undefined)[]
  beforeAll(async () => {
    bad = await Promise.all(ROLES.map(() => fresh()))
    const honest = await fresh()
    witnessing = await policyOf('any', ...bad, honest)
    for (const [index, [, , role]] of ROLES.entries()) bad[index]?.behave(role)
    outcome = await round(witnessing, await nextCheckpoint())
    missing = await Promise.all(bad.map((one) => standing(witnessing, one)))
    for (const one of bad) one.behave(undefined)
    await round(witnessing, await nextCheckpoint())
  })

  it.each(ROLES.map(([role, trouble], index) => [role, trouble, index] as const))(
    '%s is missing (%s), and cosigns when it is honest again',
    async (_, trouble, index) => {
      expect(missing[index]).toMatchObject({ trouble, cosigned_at: null, missing_since: expect.any(String) })
      const witness = bad[index]
      expect(witness && (await standing(witnessing, witness))).toMatchObject({
        trouble: null,
        missing_since: null,
      })
    },
  )

  it('does any of that keeps no other from being enough, and is no evidence', () => {
    expect(outcome).toMatchObject({ outcome: 'met', evidence: [] })
    // Those that gave no answer at all.
    expect(outcome.away).toHaveLength(ROLES.filter(([, trouble]) => trouble === 'unreachable').length)
  })

  it('signs with a wrong signature is missing', async () => {
    const witness = await fresh()
    const witnessing = await policyOf('all', witness)
    const { name, id } = witness.key
    const signature = new Uint8Array(72).fill(1)
    const line = writeNote({ text: 'x\n', signatures: [{ name, id, signature }] }).slice('x\n\n'.length)
    witness.behave((response) => response.end(line))
    expect((await round(witnessing, await nextCheckpoint())).outcome).toBe('not_met')
    expect(await standing(witnessing, witness)).toMatchObject({ trouble: 'invalid_answer' })
  })

  it('is gone is missing since then, and cosigns when it is back', async () => {
    const witness = await fresh()
    const witnessing = await policyOf('all', witness)
    await round(witnessing, await nextCheckpoint())
    const { cosigned_at } = (await standing(witnessing, witness)) ?? {}
    await witness.close()
    for (let tries = 0; tries < 2; tries++) await round(witnessing, await nextCheckpoint())
    const gone = await standing(witnessing, witness)
    expect(gone).toMatchObject({ trouble: 'unreachable', cosigned_at })
    expect(gone?.missing_since).not.toBeNull()
    await witness.back()
    expect((await round(witnessing, await newest())).outcome).toBe('met')
    expect(await standing(witnessing, witness)).toMatchObject({ trouble: null, missing_since: null })
  })

  it('lies at a private address that is not allowed is not reached', async () => {
    const witness = await fresh()
    const witnessing = await policyOf('all', witness)
    const refused = await round(witnessing, await nextCheckpoint(), { allow: '10.0.0.0/8' })
    expect(refused.outcome).toBe('not_met')
    expect(refused.away.join()).toContain('the host is refused: private_address')
    expect(witness.heard).toEqual([])
    expect(await standing(witnessing, witness)).toMatchObject({ trouble: 'unreachable' })
  })
})

describe('evidence', () => {
  it.each([
    ['a larger checkpoint', 1_000],
    ['another checkpoint of the same size', 0],
    ['another checkpoint of a smaller size', -1],
  ])('is %s that our key has signed, at the monitoring address', async (_, more) => {
    const witness = await fresh()
    const witnessing = await policyOf('all', witness)
    const checkpoint = await nextCheckpoint()
    const note = await signedElsewhere(checkpoint.size + more)
    witness.remember(note)
    const { outcome, evidence } = await round(witnessing, checkpoint)
    expect([outcome, evidence.length]).toEqual(['not_met', 1])
    expect(readNote(utf8(evidence[0] ?? '')).text).toBe(readNote(note).text)
  })

  it('is not a checkpoint that another key has signed', async () => {
    const witness = await fresh()
    const witnessing = await policyOf('all', witness)
    const checkpoint = await nextCheckpoint()
    const forged = noteTextOf(checkpoint).replace(`\n${checkpoint.size}\n`, '\n900000\n')
    witness.behave((response, { method }) => {
      if (method === 'GET') response.end(forged)
      else response.writeHead(409, { 'Content-Type': 'text/x.tlog.size' }).end('900000\n')
    })
    expect(await round(witnessing, checkpoint)).toMatchObject({ outcome: 'not_met', evidence: [] })
  })
})
