// What arrives together stands in one round, and nobody is answered before its item is durable.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { auditLedger } from '../../../server/domain/ledger/audit/audit_ledger.ts'
import { createSigner } from '../../../server/domain/ledger/signing_key.ts'
import { GatheringRound, type PlacedEntry } from '../../../server/domain/rounds/gathering_round.ts'
import {
  MOST_OF_KEY,
  MOST_WAITING,
  openRounds,
  type Rounds,
  type TokenPlace,
} from '../../../server/domain/rounds/open_rounds.ts'
import {
  liftRoundNumbers,
  MOST_ENTRIES,
  ROUND_ACCOUNT,
  roundByRoot,
} from '../../../server/domain/rounds/round.ts'
import { createLog } from '../../../server/kernel/log.ts'
import { openStore, type Store } from '../../../server/store/open_store.ts'
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { secondCheck, secondEntry, secondPath, secondRoot } from '../../evidence/second_tree.ts'
import { type FaultProxy, openFaultProxy } from '../../support/fault_proxy.ts'
import { openTestLedger } from '../../support/ledger.ts'
import { openSwitchedAddress } from '../../support/switched_address.ts'
import { testLedger } from '../../support/test_ledger.ts'

const ledger = testLedger()
let proxy: FaultProxy
beforeAll(async () => {
  proxy = await openFaultProxy(inject('postgresUrl'))
})
afterAll(() => proxy.close())

/** So long that no round of a test ends by it. */
const NEVER_MS = 3_600_000

const opened: Rounds[] = []
afterEach(async () => {
  for (const rounds of opened.splice(0)) await rounds.close()
})

function open({
  intervalMs = 1,
  store = ledger.store,
  em = () => store.em(),
  said = [],
  among = opened,
}: {
  intervalMs?: number
  store?: Store
  em?: () => ReturnType<Store['em']>
  said?: string[]
  /** Those that are closed together. */
  among?: Rounds[]
} = {}): Rounds {
  const signer = createSigner({ masterKey: ledger.masterKey })
  const log = createLog('info', { write: (line: string) => void said.push(JSON.parse(line).msg) })
  const rounds = openRounds({ em, signer, intervalMs, onRecorded: () => void said.push('announced'), log })
  among.push(rounds)
  return rounds
}

const digest = (text: string): TreeEntry => ({
  type: 'sha256',
  value: createHash('sha256').update(text).digest(),
})
/** The SHA-256 of a token that says its place. */
const tokenHash = ({ start, index }: TokenPlace): Uint8Array => digest(`${start.number} ${index}`).value

const one = async (rounds: Rounds, entry: TreeEntry): Promise<PlacedEntry> => {
  const [placed] = await rounds.place([entry], 'ada')
  if (placed === undefined) throw new Error('The entry has no place.')
  return placed
}

/** Each piece by a key of its own, because one key may not hold so many. */
const placeMany = async (rounds: Rounds, entries: readonly TreeEntry[]): Promise<PlacedEntry[]> => {
  const pieces: Promise<readonly PlacedEntry[]>[] = []
  for (let from = 0; from < entries.length; from += MOST_OF_KEY)
    pieces.push(rounds.place(entries.slice(from, from + MOST_OF_KEY), randomUUID()))
  return (await Promise.all(pieces)).flat()
}

interface StoredRound {
  readonly number: string
  readonly item_id: string
  readonly root: Buffer
  readonly size: number
  readonly own_bytes: Buffer
  readonly token_hashes: Buffer | null
}
const stored = () =>
  ledger.database.query<StoredRound>('SELECT * FROM aggregation_rounds ORDER BY aggregation_rounds.number')
const storedRound = async (number: number): Promise<StoredRound> => {
  const found = (await stored()).find((round) => Number(round.number) === number)
  if (found === undefined) throw new Error(`There is no round ${number}.`)
  return found
}

describe('a round', () => {
  it('has the entries of all callers, in their order, behind its own', async () => {
    const rounds = open({ intervalMs: NEVER_MS })
    const mine = ['a', 'b'].map(digest)
    const theirs = ['c', 'd', 'e'].map(digest)
    const answers = Promise.all([rounds.place(mine, 'ada'), rounds.place(theirs, 'grace')])
    expect(rounds.waiting()).toBe(5)
    await rounds.close()
    const [first, second] = await answers
    expect(rounds.waiting()).toBe(0)
    const placed = [...first, ...second]
    expect(placed.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5])
    expect(new Set(placed.map(({ round }) => round)).size).toBe(1)
    const { own_bytes, ...row } = await storedRound(placed[0]?.round ?? 0)
    const own = { type: 'round', value: own_bytes }
    const entries = [own, ...mine, ...theirs].map(secondEntry)
    const root = secondRoot(entries)
    expect(row).toMatchObject({ root, size: 6, token_hashes: null })
    for (const { index, path, ...of } of placed) {
      expect(path.map((hash) => Buffer.from(hash))).toEqual(secondPath(index, entries))
      expect(secondCheck({ index, size: of.size, path }, entries[index] ?? root, root)).toBe(true)
      expect(toHex(of.root)).toBe(root.toString('hex'))
    }
  })

  it('is a public item of nobody that claims the root, the size and the number', async () => {
    const { round, root, size, item } = await one(open(), digest('a file'))
    expect(JSON.parse(item.draft.claims)).toEqual({
      name: `Pharos round ${round}`,
      hash: toHex(root),
      hash_type: 'sha256',
      metadata: { round, tree: { format: 'pharos-tree-v1', size } },
    })
    const [row] = await ledger.database.query<Record<string, unknown>>(
      'SELECT visibility, creator_id, team_id, claims, hash, tags FROM items WHERE id = $1',
      [item.id],
    )
    expect(row).toEqual({
      visibility: 'public',
      creator_id: ROUND_ACCOUNT.creatorId,
      team_id: ROUND_ACCOUNT.teamId,
      claims: item.draft.claims,
      hash: toHex(root),
      tags: [],
    })
    expect(await roundByRoot(ledger.store.em(), root)).toEqual({ number: round, itemId: item.id, size })
    expect(await roundByRoot(ledger.store.em(), randomBytes(32))).toBeUndefined()
  })

  it('is stored when its callers are answered, and told of', async () => {
    const said: string[] = []
    const { round, item } = await one(open({ said }), digest('a file'))
    // Another connection, to which only what is committed is visible.
    expect(await storedRound(round)).toMatchObject({ item_id: item.id })
    expect(said).toEqual(['round.recorded', 'announced'])
  })

  it('has another root than one with the same digest', async () => {
    const rounds = open()
    const [first, second] = [await one(rounds, digest('same')), await one(rounds, digest('same'))]
    expect(first.round).toBeLessThan(second.round)
    expect(toHex(first.root)).not.toBe(toHex(second.root))
  })

  it('of tokens has no digest in it, and keeps what its leaves are made from', async () => {
    const rounds = open({ intervalMs: 100 })
    const places: TokenPlace[] = []
    const make = (place: TokenPlace): Uint8Array => {
      places.push(place)
      return tokenHash(place)
    }
    const tokens = Promise.all(['x', 'y', 'z'].map((key) => rounds.placeToken(make, key)))
    const digests = rounds.place([digest('a')], 'ada')
    const placed = await tokens
    // Each was told beforehand where it stands.
    expect(places.map(({ start, index }) => [start.number, index])).toEqual(
      placed.map(({ round, index }) => [round, index]),
    )
    expect(placed.map(({ index }) => index)).toEqual([1, 2, 3])
    expect((await digests)[0]?.round).not.toBe(placed[0]?.round)
    const { own_bytes, token_hashes, root, size } = await storedRound(placed[0]?.round ?? 0)
    const kept = Array.from({ length: size - 1 }, (_, at) => ({
      type: 'rfc3161-token',
      value: token_hashes?.subarray(32 * at, 32 * at + 32) ?? Buffer.of(),
    }))
    expect(kept.map(({ value }) => value)).toEqual(places.map((place) => Buffer.from(tokenHash(place))))
    expect(secondRoot([{ type: 'round', value: own_bytes }, ...kept].map(secondEntry))).toEqual(root)
  })

  it('of tokens gives no place to one that is not made', async () => {
    const rounds = open({ intervalMs: 50 })
    const refused = rounds.placeToken(() => {
      throw new Error('no time')
    }, 'ada')
    const made = rounds.placeToken(tokenHash, 'grace')
    await expect(refused).rejects.toThrow('no time')
    expect(await made).toMatchObject({ index: 1, size: 2 })
    expect(rounds.waiting()).toBe(0)
  })

  it('of tokens of which none was made leaves nothing behind', async () => {
    const said: string[] = []
    const rounds = open({ intervalMs: 1, said })
    const before = (await stored()).length
    const refused = rounds.placeToken(() => {
      throw new Error('no time')
    }, 'ada')
    await expect(refused).rejects.toThrow('no time')
    await rounds.close()
    expect([said, (await stored()).length]).toEqual([[], before])
  })

  it('of tokens is due no later because its number came late', () => {
    const now = performance.now()
    const numbered = { number: 1, databaseMs: 0, askedAt: now - 1_500, answeredAt: now }
    for (const [intervalMs, left] of [
      [4_000, 2_500],
      [1_000, 500],
    ] as const) {
      const round = new GatheringRound(numbered, intervalMs, () => undefined)
      round.dismiss()
      expect(round.dueAt - now).toBeCloseTo(left, -2)
    }
  })

  it('of tokens goes on in another one when it is full', async () => {
    const rounds = open({ intervalMs: NEVER_MS })
    const many = Array.from({ length: MOST_ENTRIES + 1 }, (_, at) =>
      rounds.placeToken(tokenHash, `${at % 64}`),
    )
    const first = await Promise.all(many.slice(0, MOST_ENTRIES - 1))
    expect(new Set(first.map(({ round }) => round)).size).toBe(1)
    expect(first.at(-1)).toMatchObject({ size: MOST_ENTRIES, index: MOST_ENTRIES - 1 })
    await rounds.close()
    const second = await Promise.all(many.slice(MOST_ENTRIES - 1))
    expect(second.map(({ index }) => index)).toEqual([1, 2])
    expect(second[0]?.round).toBeGreaterThan(first[0]?.round ?? 0)
  })

  it('lands in the next block, and the audit finds nothing', async () => {
    const { item } = await one(open(), digest('a file'))
    await ledger.finalize()
    const [row] = await ledger.database.query<{ state: string }>(
      'SELECT state FROM shown_items WHERE id = $1',
      [item.id],
    )
    expect(row?.state).toBe('committed')
    expect((await auditLedger({ em: ledger.store.em() })).disagreements).toEqual([])
  })

  it('closes when it is full, and what no longer fits opens another', async () => {
    const rounds = open({ intervalMs: NEVER_MS })
    const many = Array.from({ length: MOST_ENTRIES - 3 }, (_, at) => digest(`${at}`))
    const first = placeMany(rounds, many)
    // Three do not fit any more, so the first round closes without the time over.
    const others = rounds.place(['a', 'b', 'c'].map(digest), 'ada')
    const [placed] = await first
    expect(placed?.size).toBe(MOST_ENTRIES - 2)
    const exactly = placeMany(
      rounds,
      Array.from({ length: MOST_ENTRIES - 4 }, (_, at) => digest(`again ${at}`)),
    )
    expect((await others)[0]).toMatchObject({ size: MOST_ENTRIES, index: 1 })
    expect((await exactly).at(-1)?.index).toBe(MOST_ENTRIES - 1)
  })

  it('answers a few callers at a time, so that the event loop does other work between them', async () => {
    const rounds = open({ intervalMs: NEVER_MS })
    let answered = 0
    const alone = Array.from({ length: 100 }, (_, at) => ({ at, entries: [digest(`${at}`)] }))
    const answers = alone.map(({ at, entries }) =>
      rounds.place(entries, `${at}`).then(() => {
        answered += 1
      }),
    )
    const perTurn: number[] = []
    const closed = rounds.close()
    for (let before = 0; before < 100; ) {
      await new Promise(setImmediate)
      perTurn.push(answered - before)
      before = answered
    }
    expect(Math.max(...perTurn)).toBe(8)
    await Promise.all([closed, ...answers])
  })

  it('closes after the interval, and not before', async () => {
    const rounds = open({ intervalMs: 150 })
    const began = performance.now()
    await one(rounds, digest('a file'))
    expect(performance.now() - began).toBeGreaterThanOrEqual(149)
  })
})

describe('what is refused', () => {
  it('is more than may wait, and those who wait are answered', async () => {
    const rounds = open({ intervalMs: NEVER_MS })
    const half = Array.from({ length: MOST_WAITING / 2 - 2 }, (_, at) => at)
    const digests = placeMany(
      rounds,
      half.map((at) => digest(`${at}`)),
    )
    const tokens = Promise.all(half.map((at) => rounds.placeToken(tokenHash, `${at}`)))
    const five = ['a', 'b', 'c', 'd', 'e'].map(digest)
    await expect(rounds.place(five, 'ada')).rejects.toMatchObject({ code: 'overloaded' })
    expect(rounds.waiting()).toBe(MOST_WAITING - 4)
    await rounds.close()
    expect((await digests).length + (await tokens).length).toBe(MOST_WAITING - 4)
  })

  it('is an eighth of all places for one key, and the last tenth for who has some already', async () => {
    const rounds = open({ intervalMs: NEVER_MS })
    const eighth = Array.from({ length: MOST_OF_KEY }, () => digest('the same'))
    const some = eighth.slice(0, 4_000)
    const place = (key: string, entries: readonly TreeEntry[]) => rounds.place(entries, key)
    // In one turn of the event loop, so that no round is recorded meanwhile.
    const taken = Promise.all([
      ...Array.from({ length: 7 }, (_, at) => place(`greedy ${at}`, eighth)),
      place('modest', [digest('one')]),
    ])
    const refused = Promise.allSettled([place('greedy 0', [digest('one')]), place('modest', some)])
    const late = place('late', some)
    for (const [at, maximum] of [MOST_OF_KEY, MOST_WAITING].entries())
      expect((await refused)[at]).toMatchObject({
        status: 'rejected',
        reason: { code: 'overloaded', problems: [{ meta: { maximum } }] },
      })
    await rounds.close()
    expect([(await taken).flat().length, (await late).length]).toEqual([7 * MOST_OF_KEY + 1, 4_000])
    expect(rounds.waiting()).toBe(0)
  })

  it('is what is no entry, and it leaves nothing behind', async () => {
    const rounds = open()
    const wrong: TreeEntry = { type: 'sha256', value: Buffer.alloc(31) }
    await expect(rounds.place([digest('a'), wrong], 'ada')).rejects.toThrow(RangeError)
    expect(rounds.waiting()).toBe(0)
    expect(await rounds.place([], 'ada')).toEqual([])
  })

  it('is everybody of a round whose database went away, with one line, and the next round is recorded', async () => {
    const said: string[] = []
    const store = openStore({ url: proxy.through(ledger.database.url), poolSize: 2 })
    try {
      const rounds = open({ store, said, intervalMs: 20 })
      const before = (await stored()).length
      const struck = proxy.strike({ matches: (sql) => /INSERT INTO items/.test(sql), when: 'before' })
      const answers = await Promise.allSettled(['a', 'b', 'c'].map((text) => one(rounds, digest(text))))
      await struck
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'database_unavailable' } })
      expect(said).toEqual(['round.failed'])
      expect((await stored()).length).toBe(before)
      await one(rounds, digest('a'))
      expect((await stored()).length).toBe(before + 1)
    } finally {
      await store.close()
    }
  })

  // The next two wait for the same five seconds.
  it.concurrent('is everybody of a round that the database says nothing to, before it is given up there', async () => {
    const said: string[] = []
    const own: Rounds[] = []
    const store = openStore({ url: proxy.through(ledger.database.url), poolSize: 2 })
    const [begun, silence] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    try {
      const rounds = open({ store, said, among: own })
      const before = (await stored()).length
      const struck = proxy.strike({
        matches: (sql) => /INSERT INTO items/.test(sql),
        when: 'before',
        hook: () => {
          begun.resolve()
          return silence.promise
        },
      })
      const refused = { code: 'database_unavailable' }
      const first = one(rounds, digest('a'))
      await begun.promise
      // Its round waits behind the first one, and is given up before it was begun.
      const second = one(rounds, digest('b'))
      for (const answer of await Promise.allSettled([first, second]))
        expect(answer).toMatchObject({ status: 'rejected', reason: refused })
      expect([said, rounds.waiting()]).toEqual([['round.late', 'round.late'], 0])
      silence.resolve()
      await struck
      await one(rounds, digest('c'))
      // What was given up came to its own end, and was not begun a second time.
      expect(said).toEqual(['round.late', 'round.late', 'round.failed', 'round.recorded', 'announced'])
      expect((await stored()).length).toBe(before + 1)
    } finally {
      silence.resolve()
      for (const rounds of own) await rounds.close()
      await store.close()
    }
  })

  it.concurrent('is told within five seconds of asking while the database says nothing, and not before the round was due', async () => {
    const silent = await openTestLedger()
    const own: Rounds[] = []
    const address = await openSwitchedAddress(silent.database.url)
    const store = openStore({ url: address.through(silent.database.url), poolSize: 4 })
    const over = new AbortController()
    /** Milliseconds until it was refused. By timers of this very process, so that a machine that is late is late with both. */
    const refused = (place: () => Promise<unknown>): Promise<number | 'gave up'> => {
      const began = performance.now()
      const client = pause(5_000, 'gave up' as const, { signal: over.signal })
      const told = expect(place())
        .rejects.toMatchObject({ code: 'database_unavailable' })
        .then(() => performance.now() - began)
      client.catch(() => undefined)
      return Promise.race([told, client])
    }
    try {
      const recorded = () => silent.database.query('SELECT number FROM aggregation_rounds')
      const before = (await recorded()).length
      const intervals = [100, 1_000, 4_000] as const
      const servers = intervals.map((intervalMs) => ({
        intervalMs,
        rounds: open({ store, intervalMs, among: own }),
      }))
      const begun = servers.map(() => Promise.withResolvers<void>())
      const tokens = servers.map(({ rounds }, at) =>
        refused(() =>
          rounds.placeToken((place) => {
            begun[at]?.resolve()
            return tokenHash(place)
          }, 'ada'),
        ),
      )
      // Their numbers are there. From here on nothing comes.
      await Promise.all(begun.map(({ promise }) => promise))
      address.fallSilent()
      const digests = servers.map(({ rounds }) => refused(() => rounds.place([digest('a')], 'ada')))
      for (const told of [tokens, digests])
        for (const [at, ms] of (await Promise.all(told)).entries()) {
          expect(ms).not.toBe('gave up')
          expect(ms).toBeGreaterThanOrEqual(intervals[at] ?? 0)
        }
      expect((await recorded()).length).toBe(before)
    } finally {
      over.abort()
      address.leadTo(silent.database.url)
      for (const rounds of own) await rounds.close()
      await store.close()
      await address.close()
      await silent.close()
    }
  })

  it('is everybody of a round that our own fault ended', async () => {
    const said: string[] = []
    const faulty = open({
      said,
      em: () => {
        throw new TypeError('a fault')
      },
    })
    const answers = await Promise.allSettled(['a', 'b'].map((text) => one(faulty, digest(text))))
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'internal' } })
    expect(said).toEqual(['round.failed'])
    expect(faulty.waiting()).toBe(0)
  })

  it('is what comes while the server stops; what came before is answered', async () => {
    const rounds = open({ intervalMs: NEVER_MS })
    const before = one(rounds, digest('before'))
    const closed = rounds.close()
    await expect(one(rounds, digest('after'))).rejects.toMatchObject({ code: 'shutting_down' })
    expect((await before).size).toBe(2)
    await closed
  })
})

describe('numbers', () => {
  it('are unique over servers that make rounds at once', async () => {
    const other = openStore({ url: ledger.database.url, poolSize: 4 })
    try {
      const servers = [open(), open({ store: other })]
      const placed: PlacedEntry[] = []
      for (let wave = 0; wave < 12; wave += 1)
        placed.push(...(await Promise.all(servers.map((rounds, at) => one(rounds, digest(`${wave} ${at}`))))))
      expect(new Set(placed.map(({ round }) => round)).size).toBe(24)
      expect(new Set(placed.map(({ item }) => item.id)).size).toBe(24)
    } finally {
      for (const rounds of opened.splice(0)) await rounds.close()
      await other.close()
    }
  })

  it('go on from the time since the service was first started', async () => {
    expect((await one(open(), digest('a'))).round).toBeGreaterThan(Date.UTC(2026, 0))
  })

  const setBack = (to: number) =>
    ledger.database.query(`SELECT setval('aggregation_round_numbers', $1::bigint)`, [to])
  const now = async (): Promise<number> => {
    const [found] = await ledger.database.query<{ ms: number }>('SELECT unix_ms(pharos_now()) AS ms')
    return found?.ms ?? 0
  }

  it('go on from the time, where a restored backup has forgotten some', async () => {
    await setBack(7)
    const before = await now()
    await liftRoundNumbers(ledger.store.em())
    expect((await one(open(), digest('a'))).round).toBeGreaterThan(before)
  })

  it('never go back', async () => {
    const ahead = Math.ceil(await now()) + 3_600_000
    await setBack(ahead)
    await liftRoundNumbers(ledger.store.em())
    expect((await one(open(), digest('a'))).round).toBe(ahead + 1)
  })
})

describe('the account of rounds', () => {
  it('has no address, no password, no key and no member, and cannot be enabled', async () => {
    const [found] = await ledger.database.query<Record<string, unknown>>(
      `SELECT u.email, u.disabled_at IS NOT NULL AS is_disabled,
              (SELECT count(*)::int FROM passwords p WHERE p.user_id = u.id)
              + (SELECT count(*)::int FROM api_keys k WHERE k.user_id = u.id)
              + (SELECT count(*)::int FROM memberships m WHERE m.user_id = u.id OR m.team_id = $2) AS ways_in
         FROM users u WHERE u.id = $1`,
      [ROUND_ACCOUNT.creatorId, ROUND_ACCOUNT.teamId],
    )
    expect(found).toEqual({ email: null, is_disabled: true, ways_in: 0 })
    await expect(
      ledger.database.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [ROUND_ACCOUNT.creatorId]),
    ).rejects.toThrow(/check constraint/)
  })
})
