// The chain obeys the rules of Bitcoin, whatever is sent, forgotten, mined and taken back.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, controlOf, openTestNode, prepareData, RpcError, type TestNode } from './open_node.ts'
import { replay } from './replay.ts'

type Step =
  | { readonly do: 'send'; readonly data: string; readonly feeRate: number }
  | { readonly do: 'spend'; readonly of: number; readonly data: string; readonly feeRate: number }
  | { readonly do: 'resend'; readonly of: number }
  | { readonly do: 'forget'; readonly of: number }
  | { readonly do: 'mine' }
  | { readonly do: 'take back'; readonly depth: number }
  | { readonly do: 'return'; readonly of: number }

const data = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const feeRate = fc.integer({ min: 1, max: 60 })
const of = fc.nat({ max: 1_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), data, feeRate }) },
  // Spends the change of an earlier one: a child, or a rival of a child that was forgotten or stands on another branch.
  { weight: 4, arbitrary: fc.record({ do: fc.constant('spend' as const), of, data, feeRate }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resend' as const), of }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget' as const), of }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mine' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('take back' as const), depth: fc.integer({ min: 1, max: 7 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('return' as const), of }) },
)

/** What a node may answer to a careless client. */
const EXPECTED_REFUSALS = [-4, -25, -26, -27]

describe('the development chain', () => {
  let node: TestNode
  beforeAll(async () => {
    node = await openTestNode()
  })
  afterAll(() => node.close())

  it('begins with the first block of regtest and a run whose coins may be spent', async () => {
    const { call, control, store } = node
    expect(await call('getblockhash', 0)).toBe(
      '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    )
    const { height, coins, subsidies } = await replay(store)
    expect(height).toBe(119)
    expect(coins.size).toBe(119)
    expect(subsidies).toBe(119 * 5_000_000_000)
    expect(await control.coins()).toHaveLength(20)
    expect(await call('getblockchaininfo')).toMatchObject({ chain: 'regtest', blocks: 119, bits: '207fffff' })
  })

  it('dates a block later than the median before it, also by a clock that stands still or goes back', async () => {
    const { call, control, openSkewed, store } = node
    await control.mine(15)
    const { mediantime } = await call<{ mediantime: number }>('getblockchaininfo')
    await controlOf(await openSkewed('-1 hour')).mine()
    expect(await call('getblockchaininfo')).toMatchObject({ time: mediantime + 1 })
    const { height } = await replay(store)
    expect(height).toBe(135)
  })

  it('keeps its coins in order over any sequence of steps', { timeout: 240_000 }, async () => {
    const sent: { txid: string; hex: string }[] = []
    const left: string[] = []
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        for (const one of steps) await take(node, one, { sent, left })
        const { coins, subsidies } = await replay(node.store)
        const total = [...coins.values()].reduce((sum, { amount }) => sum + amount, 0)
        expect(total).toBe(subsidies)
      }),
      { numRuns: 20 },
    )
    expect(sent.length).toBeGreaterThan(10)
    expect(left.length).toBeGreaterThan(0)
  })
})

interface Past {
  readonly sent: { txid: string; hex: string }[]
  /** Tips of branches that were left. */
  readonly left: string[]
}

async function take({ call, control }: TestNode, one: Step, { sent, left }: Past): Promise<void> {
  const picked = 'of' in one ? sent[one.of % Math.max(1, sent.length)] : undefined
  switch (one.do) {
    case 'send':
      return remember(call, sent, () => prepareData(call, one.data, one))
    case 'spend': {
      const inputs = picked === undefined ? [] : [{ txid: picked.txid, vout: 1 }]
      return remember(call, sent, () => prepareData(call, one.data, { ...one, inputs }))
    }
    case 'resend':
      return picked === undefined ? undefined : remember(call, [], async () => picked.hex)
    case 'forget': {
      const waits = picked !== undefined && (await control.waiting()).includes(picked.txid)
      return waits ? control.forget(picked.txid) : undefined
    }
    case 'mine':
      return control.mine()
    case 'take back': {
      left.push(await control.tip())
      return control.takeBack(one.depth)
    }
    case 'return': {
      const tip = left[one.of % Math.max(1, left.length)]
      return tip === undefined ? undefined : control.moveTo(tip)
    }
    default:
      return one satisfies never
  }
}

async function remember(call: Call, sent: Past['sent'], prepare: () => Promise<string>): Promise<void> {
  try {
    const hex = await prepare()
    sent.push({ hex, txid: await call<string>('sendrawtransaction', hex) })
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    expect(EXPECTED_REFUSALS, error.message).toContain(error.code)
  }
}
