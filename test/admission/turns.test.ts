// What a server that is late takes from whom, with a delay that the test sets.
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { openDoor, refusalPace } from '../../server/admission/door.ts'
import { createAdmission } from '../../server/admission/turns.ts'
import type { Turn } from '../../server/contract/expensive_reads.ts'
import type { Caller } from '../../server/domain/accounts/caller.ts'
import type { Charge } from '../../server/domain/limits/charge.ts'
import { ceilings } from '../../server/kernel/ceilings.ts'
import { Refusal } from '../../server/kernel/refusal.ts'

/** An answer that is open until `end` is called. */
function openAnswer(): { readonly response: ServerResponse; readonly end: () => void } {
  const response = Object.assign(new EventEmitter(), { closed: false })
  const end = () => {
    response.closed = true
    response.emit('close')
  }
  return { response: response as unknown as ServerResponse, end }
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'admitted',
    (error: unknown) => (error instanceof Refusal ? (error.problems[0]?.code ?? '') : String(error)),
  )

it('is late: one large request of each caller is taken, more of the same caller are refused, and who waits keeps the place', async () => {
  let delayMs = 0
  const admission = createAdmission({
    ceilings: ceilings({ loop_delay_ms: 100, large_requests_per_caller: 1 }),
    delayMs: () => delayMs,
  })
  const first = openAnswer()
  await admission.turn(first.response, 'ada')
  const waits = admission.turn(openAnswer().response, 'ada')
  delayMs = 400
  expect(await codeOf(admission.turn(openAnswer().response, 'ada'))).toBe('overloaded')
  expect(await codeOf(admission.turn(openAnswer().response, 'grace'))).toBe('admitted')
  first.end()
  expect(await codeOf(waits)).toBe('admitted')
  delayMs = 0
  expect(await codeOf(admission.turn(openAnswer().response, 'hedy'))).toBe('admitted')
})

it('gives small requests their pieces one after the other, while another caller is here', async () => {
  const admission = createAdmission({ ceilings: ceilings({}), delayMs: () => 0 })
  expect(admission.piece('192.0.2.1')).toBeUndefined()
  admission.admit(openAnswer().response, 'ada')
  expect(admission.piece('ada')).toBeUndefined()
  await expect(admission.piece('192.0.2.1')).resolves.toBeUndefined()
  admission.close()
})

/** The most promises that are resolved between two passes of the event loop. */
async function mostInOnePass(promises: readonly (Promise<unknown> | undefined)[]): Promise<number> {
  let inThisPass = 0
  let most = 0
  let left = promises.length
  for (const promise of promises)
    void Promise.resolve(promise).then(() => {
      inThisPass += 1
      left -= 1
      most = Math.max(most, inThisPass)
    })
  while (left > 0) {
    await new Promise((resolve) => setImmediate(resolve))
    inThisPass = 0
  }
  return most
}

const CROWD = ['ada', 'grace', 'hedy', 'mary']

it('lets the lists of a crowd go on one in a pass of the event loop, also those that waited for news', async () => {
  const admission = createAdmission({ ceilings: ceilings({}), delayMs: () => 0 })
  const begin = () => CROWD.map((key) => admission.listTurn(openAnswer().response, key))
  const restAll = async (turns: readonly Promise<Turn>[]) => {
    const begun = await Promise.all(turns)
    for (const turn of begun) turn.giveUp()
    return begun
  }
  const alone = begin()
  expect(await mostInOnePass(alone)).toBe(CROWD.length)
  await restAll(alone)
  for (const key of CROWD) admission.admit(openAnswer().response, key)
  const together = begin()
  expect(await mostInOnePass(together)).toBe(1)
  const rested = await restAll(together)
  expect(await mostInOnePass(rested.map((turn) => turn.takeAgain()))).toBe(1)
  admission.close()
})

it('refuses one of a crowd in a pass of the event loop, also when all their budgets end at the same moment', async () => {
  const admission = createAdmission({ ceilings: ceilings({}), delayMs: () => 0 })
  const pace = refusalPace({ perSecond: 10 })
  const spent: Charge = {
    budget: 'jsonapi_caller',
    allowed: false,
    limit: 1,
    remaining: 0,
    retryAfterMs: 1_000,
  }
  const door = openDoor(
    { limits: { charge: () => spent }, pace, admission, clientAddress: () => '192.0.2.1' },
    'jsonapi',
  )
  const refuseAll = () => CROWD.map(async (userId) => door.call({ userId } as Caller))
  expect(await mostInOnePass(refuseAll())).toBe(CROWD.length)
  for (const key of CROWD) admission.admit(openAnswer().response, key)
  expect(await mostInOnePass(refuseAll())).toBe(1)
  pace.close()
  admission.close()
})
