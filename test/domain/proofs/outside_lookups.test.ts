// One verification asks a few questions at a time, and is over at its deadline.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outsideLookups } from '../../../server/domain/proofs/verify_proof.ts'
import { look, lookupAddresses } from '../../../shared/proof/lookups/lookup.ts'
import { bitcoinBlock } from '../../../shared/proof/lookups/public_services.ts'
import { type AnsweringServer, openAnsweringServer } from '../../support/answering_server.ts'

const BOUNDS = { oneMs: 20_000, allMs: 20_000, atATime: 2 }
const hashOf = (number: number) => number.toString(16).padStart(64, '0')

let outside: AnsweringServer
beforeEach(async () => {
  outside = await openAnsweringServer()
})
afterEach(() => outside.close())

const lookups = (bounds: Partial<typeof BOUNDS> = {}) => {
  const { address } = outside
  return outsideLookups(
    lookupAddresses(() => address),
    { ...BOUNDS, ...bounds },
  )
}
const ask = (bounds: Partial<typeof BOUNDS>, numbers: readonly number[]) => {
  const outside = lookups(bounds)
  return Promise.all(numbers.map((number) => look(outside, bitcoinBlock('mainnet', hashOf(number)))))
}

describe('lookups of one verification', () => {
  it('are made so many at a time, and the next when one is answered', async () => {
    const held: (() => void)[] = []
    for (const number of [1, 2, 3, 4])
      outside.answers.set(`/block/${hashOf(number)}`, (_, response) => {
        held.push(() => response.end(JSON.stringify({ height: number, timestamp: 5 })))
      })
    const asking = ask({}, [1, 2, 3, 4])
    for (let answered = 0; answered < 4; answered += 1) {
      await expect.poll(() => held.length).toBeGreaterThan(0)
      expect(outside.asked.length).toBeLessThanOrEqual(answered + 2)
      held.shift()?.()
    }
    expect((await asking).map(({ outcome }) => outcome)).toEqual(Array(4).fill('found'))
  })

  it('end when a source hangs, each by itself and all of them together', async () => {
    for (let number = 1; number <= 6; number += 1)
      outside.answers.set(`/block/${hashOf(number)}`, () => undefined)
    const outcomes = async (bounds: Partial<typeof BOUNDS>, numbers: number[]) =>
      (await ask(bounds, numbers)).map(({ outcome }) => outcome)
    expect(await outcomes({ oneMs: 300 }, [1, 2, 3])).toEqual(Array(3).fill('unreachable'))
    const others = [4, 5, 6]
    expect(await outcomes({ allMs: 300 }, others)).toEqual(Array(3).fill('unreachable'))
    const asked = outside.asked.filter((path) => others.some((number) => path.endsWith(hashOf(number))))
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  it('follow no redirect, and read no more than a mebibyte', async () => {
    outside.answers.set(`/block/${hashOf(1)}`, (_, response) => {
      response.writeHead(302, { Location: `/block/${hashOf(2)}` }).end()
    })
    outside.answers.set(`/block/${hashOf(2)}`, JSON.stringify({ height: 1, timestamp: 5 }))
    outside.answers.set(`/block/${hashOf(3)}`, `{"height":1,"timestamp":5,"x":"${'x'.repeat(1_048_576)}"}`)
    const answers = await ask({}, [1, 3])
    expect(answers.map(({ outcome }) => outcome)).toEqual(['unreachable', 'unreachable'])
    expect(outside.asked).not.toContain(`/block/${hashOf(2)}`)
  })
})
