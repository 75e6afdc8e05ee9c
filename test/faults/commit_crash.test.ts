// Wherever a commit between the database and the public chain is cut off, every epoch ends in exactly one
// transaction.
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { openStore, type Store } from '../../server/store/open_store.ts'
import {
  age,
  everyRun,
  leasesEnd,
  look,
  nextSlot,
  storedCommitments,
  storedHashes,
  visit,
} from '../domain/commitments/committing.ts'
import { type Call, type ModelChain, modelChain } from '../support/chains/model_chain.ts'
import { type FaultProxy, openFaultProxy } from '../support/fault_proxy.ts'
import { sizeOf } from '../support/sizes.ts'
import { testLedger } from '../support/test_ledger.ts'

const ledger = testLedger()
let proxy: FaultProxy
let chain: ModelChain
beforeAll(async () => {
  proxy = await openFaultProxy(inject('postgresUrl'))
})
afterAll(() => proxy.close())
beforeEach(async () => {
  chain = modelChain()
  await forget()
})

/** Removes earlier commitments from the database, because a new chain does not have their transactions. */
async function forget(): Promise<void> {
  await ledger.store
    .em()
    .getConnection()
    .execute(
      `TRUNCATE epochs, commitments, commitment_transactions, commitment_evidence, epoch_series;
     UPDATE blocks SET state = 'finalized', committed_at = NULL`,
    )
}

const newBlock = async () => {
  await ledger.submit({}, {})
  await ledger.finalize()
  await nextSlot(ledger.store)
}

/** A server of its own whose connections go through the proxy. Closed when the work is done. */
async function onServer(work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = openStore({ url: proxy.through(ledger.database.url), poolSize: 2 })
  try {
    await work(store).catch(() => undefined)
  } finally {
    await store.close()
  }
}

/** Ends all faults and lets time pass, until nothing waits. */
async function settle(): Promise<void> {
  chain.away(false)
  chain.refuse(null)
  chain.recover()
  for (let round = 0; round < 40; round += 1) {
    await leasesEnd(ledger.store)
    await age(ledger.store, '1 minute')
    await look(ledger.store, chain)
    chain.mine()
    const found = await storedCommitments(ledger.store)
    if (found.every(({ state, waits }) => state === 'confirmed' && !waits)) return
  }
  throw new Error(`Something still waits: ${JSON.stringify(await storedCommitments(ledger.store))}`)
}

/** Checks what must hold after every fault. */
async function expectOnceEach(): Promise<void> {
  const found = await storedCommitments(ledger.store)
  const included = chain.included()
  expect(included.toSorted()).toEqual(found.map(({ root }) => root).toSorted())
  for (const commitment of found) {
    expect(commitment).toMatchObject({ state: 'confirmed', evidence: true, error: null })
    expect(chain.isIncluded(commitment.transaction_hash ?? '')).toBe(true)
  }
  const stored = await storedHashes(ledger.store)
  expect(chain.sent.filter((hash) => !stored.has(hash))).toEqual([])
  // Epochs must follow one another without a gap.
  let next = 0
  for (const { first_height, last_height } of found) {
    expect(first_height).toBe(next)
    next = last_height + 1
  }
}

describe('a server that loses its database', () => {
  it.each(['before', 'after'] as const)(
    '%s each statement of closing, signing and sending',
    async (when) => {
      await newBlock()
      proxy.takeStatements()
      await onServer((store) => visit(store, chain))
      const statements = proxy.takeStatements()
      await settle()
      for (const start of ['begin', 'commit', 'WITH closed AS', 'WITH stored AS', 'WITH before AS'])
        expect(
          statements.some((sql) => sql.trim().startsWith(start)),
          start,
        ).toBe(true)
      for (const [index, sql] of statements.entries()) {
        await newBlock()
        await leasesEnd(ledger.store)
        const sent = chain.sent.length
        const struck = proxy.strike({ matches: () => true, nth: index + 1, when })
        await onServer((store) => visit(store, chain, 'the one that dies'))
        expect(await struck, `${when} ${sql}`).toBe(sql)
        await settle()
        await expectOnceEach()
        // The stored transaction is the one that was sent, and no other transaction was signed after it.
        expect(new Set(chain.sent.slice(sent)).size).toBe(1)
      }
    },
    120_000,
  )

  it.each(['before', 'after'] as const)(
    '%s each statement of confirming',
    async (when) => {
      const prepare = async () => {
        await newBlock()
        await leasesEnd(ledger.store)
        await visit(ledger.store, chain)
        chain.mine()
        await everyRun(ledger.store)
        proxy.takeStatements()
      }
      // The first epoch takes all existing blocks, later epochs the blocks after it.
      await newBlock()
      await settle()
      await prepare()
      await onServer((store) => visit(store, chain))
      const statements = proxy.takeStatements()
      for (const start of ['insert into "commitment_evidence"', 'WITH after AS', 'WITH committed AS'])
        expect(
          statements.some((sql) => sql.trim().startsWith(start)),
          start,
        ).toBe(true)
      for (const [index, sql] of statements.entries()) {
        await prepare()
        const struck = proxy.strike({ matches: () => true, nth: index + 1, when })
        await onServer((store) => visit(store, chain, 'the one that dies'))
        expect(await struck, `${when} ${sql}`).toBe(sql)
        await settle()
        await expectOnceEach()
      }
    },
    120_000,
  )
})

describe('a coin that somebody else takes before the first broadcast', () => {
  /** A transaction that is signed and stored but never arrived at the chain. */
  const storeUnsent = async (): Promise<string> => {
    await newBlock()
    await leasesEnd(ledger.store)
    chain.fail({ call: 'broadcast', when: 'before' })
    await visit(ledger.store, chain)
    const hash = chain.made.at(-1)?.hash ?? ''
    chain.takeCoin(hash)
    await everyRun(ledger.store)
    await leasesEnd(ledger.store)
    return hash
  }

  it.each(['before', 'after'] as const)(
    'whoever dies %s a statement while the epoch is prepared afresh',
    async (when) => {
      await newBlock()
      await settle()
      await storeUnsent()
      proxy.takeStatements()
      await onServer((store) => visit(store, chain))
      const statements = proxy.takeStatements()
      expect(statements.some((sql) => sql.trim().startsWith('WITH stored AS'))).toBe(true)
      await settle()
      for (const [index, sql] of statements.entries()) {
        const unsent = await storeUnsent()
        const coins = chain.made.length
        const struck = proxy.strike({ matches: () => true, nth: index + 1, when })
        await onServer((store) => visit(store, chain, 'the one that dies'))
        expect(await struck, `${when} ${sql}`).toBe(sql)
        await settle()
        await expectOnceEach()
        expect(chain.sent).not.toContain(unsent)
        expect((await storedHashes(ledger.store)).has(unsent)).toBe(true)
        expect(new Set(chain.made.slice(coins - 1).map(({ coin }) => coin)).size).toBeGreaterThan(1)
      }
    },
    120_000,
  )

  it('and two servers that both notice, one new transaction is stored and sent', async () => {
    await storeUnsent()
    const made = chain.made.length
    let going = true
    const expiring = (async () => {
      while (going) await leasesEnd(ledger.store)
    })()
    await Promise.all(['one', 'two', 'three'].map((holder) => visit(ledger.store, chain, holder)))
    going = false
    await expiring
    expect(chain.made.length).toBeGreaterThan(made)
    expect(new Set(chain.sent).size).toBe(1)
    await settle()
    await expectOnceEach()
  })
})

describe('a chain that fails', () => {
  const calls: readonly Call[] = ['network', 'prepare', 'broadcast', 'locate']
  it.each(calls.flatMap((call) => [{ call, when: 'before' } as const, { call, when: 'after' } as const]))(
    '$when $call has its effect leads to one transaction all the same',
    async (fault) => {
      for (let epoch = 0; epoch < 3; epoch += 1) {
        await newBlock()
        chain.fail(fault)
        if (epoch === 1) chain.fail(fault)
        await visit(ledger.store, chain)
        await look(ledger.store, chain)
        await settle()
      }
      await expectOnceEach()
    },
  )
})

describe('two servers at once', () => {
  it('of which one has the lease', async () => {
    await newBlock()
    const outcomes = await Promise.all([
      visit(ledger.store, chain, 'one'),
      visit(ledger.store, chain, 'two'),
      visit(ledger.store, chain, 'three'),
    ])
    expect(outcomes.filter((outcome) => outcome === 'visited').length).toBeGreaterThan(0)
    expect(chain.made).toHaveLength(1)
    await settle()
    await expectOnceEach()
  })

  it('both of which believe they have it', async () => {
    for (let epoch = 0; epoch < 6; epoch += 1) {
      await newBlock()
      let going = true
      const expiring = (async () => {
        while (going) await leasesEnd(ledger.store)
      })()
      await Promise.all(['one', 'two', 'three', 'four'].map((holder) => visit(ledger.store, chain, holder)))
      going = false
      await expiring
      // Several may have been signed, but only the stored one was sent.
      expect(new Set(chain.sent.filter((hash) => chain.rootOf(hash) === chain.made.at(-1)?.root)).size).toBe(
        1,
      )
    }
    await settle()
    await expectOnceEach()
  })
})

/** Number of blocks. Less than the depth at which the model counts a block as settled. */
const DEEPEST = 4

const event = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'visit' } as const) },
  { weight: 2, arbitrary: fc.constant({ do: 'visit twice at once' } as const) },
  { weight: 3, arbitrary: fc.constant({ do: 'block' } as const) },
  { weight: 4, arbitrary: fc.constant({ do: 'mine' } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      call: fc.constantFrom<Call>('network', 'prepare', 'broadcast', 'locate'),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reorganise' as const),
      depth: fc.integer({ min: 1, max: DEEPEST }),
      forget: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'drop' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'spend elsewhere' } as const) },
  { weight: 2, arbitrary: fc.constant({ do: 'take the coin' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'refuse' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'relent' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('age' as const),
      interval: fc.constantFrom('6 seconds', '6 minutes', '20 minutes'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'die' } as const) },
)
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never

async function happen(what: Event): Promise<unknown> {
  switch (what.do) {
    case 'visit':
      await leasesEnd(ledger.store)
      return look(ledger.store, chain)
    case 'visit twice at once': {
      await leasesEnd(ledger.store)
      await everyRun(ledger.store)
      const first = visit(ledger.store, chain, 'one')
      await leasesEnd(ledger.store)
      return Promise.all([first, visit(ledger.store, chain, 'two')])
    }
    case 'block':
      return newBlock()
    case 'mine':
      return chain.mine()
    case 'fail':
      return chain.fail(what)
    case 'reorganise': {
      // The winning chain must be longer than the losing one.
      const depth = Math.min(what.depth, chain.blocks())
      chain.reorganise(depth, what.forget)
      return chain.mineEmpty(depth + 1)
    }
    case 'drop':
      return chain.drop()
    case 'spend elsewhere':
      return chain.spendElsewhere(chain.made.at(-1)?.hash ?? '')
    case 'take the coin':
      return chain.takeCoin(chain.made.at(-1)?.hash ?? '')
    case 'refuse':
      return chain.refuse('not now')
    case 'relent':
      return chain.refuse(null)
    case 'age':
      return age(ledger.store, what.interval)
    case 'die': {
      // The worker dies somewhere in the middle and cannot report it.
      const nth = 1 + (chain.made.length % 7)
      await leasesEnd(ledger.store)
      await everyRun(ledger.store)
      const struck = proxy.strike({
        matches: (sql) => /^\s*(WITH|INSERT|UPDATE|commit)/.test(sql),
        nth,
        when: 'after',
      })
      await onServer((store) => visit(store, chain, 'the one that dies'))
      proxy.disarm()
      return Promise.race([struck, undefined])
    }
    default:
      return what satisfies never
  }
}

it('any order of faults, blocks, reorganisations and servers ends with every epoch confirmed once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 25 }), async (events) => {
      chain = modelChain()
      await forget()
      for (const each of events) await happen(each)
      await settle()
      await expectOnceEach()
    }),
    { numRuns: sizeOf('orders_of_events') },
  )
}, 240_000)
