// What a server that is late takes from whom, with a delay that the test sets.
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { createAdmission } from '../../server/admission/turns.ts'
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
