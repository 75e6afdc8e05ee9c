// Conversations with a host that an operator named: over TLS, to vetted addresses, and without TLS only where that is
// allowed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { createGuard } from '../../server/outgoing/guard.ts'
import { conversePinned } from '../../server/outgoing/vetted_request.ts'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'

let receiver: Receiver
let plain: AnsweringServer
beforeAll(async () => {
  receiver = await openReceiver()
  plain = await openAnsweringServer()
})
afterAll(async () => {
  await receiver?.close()
  await plain?.close()
})

const converse = (allowed: string, resolved: readonly string[] = ['127.0.0.1']) => {
  const allow = addressRanges(allowed)
  const guard = createGuard({ resolve: async () => resolved, allow })
  return conversePinned({ guard, allow, ca: TEST_AUTHORITY.cert })
}
const never = new AbortController().signal

describe('a conversation', () => {
  it('sends its requests over one connection, with TLS that is verified', async () => {
    const url = new URL(receiver.url('hooks.example.com', '/'))
    const talk = await converse('127.0.0.0/8')(url)
    receiver.respond((response, { method, body }) => response.end(`${method} ${body}`))
    const answers = [
      await talk.post(new URL('/a', url), 'one', never),
      await talk.get(new URL('/b', url), never),
    ]
    expect(answers.map(({ status, body }) => [status, body.toString()])).toEqual([
      [200, 'POST one'],
      [200, 'GET '],
    ])
    expect(receiver.heard.map(({ path }) => path)).toEqual(['/a', '/b'])
    expect(receiver.connections()).toBe(1)
    talk.close()
  })

  it('goes to no other host', async () => {
    const url = new URL(receiver.url('hooks.example.com', '/'))
    const talk = await converse('127.0.0.0/8')(url)
    await expect(talk.get(new URL('https://elsewhere.example/'), never)).rejects.toThrow('not the host')
    talk.close()
  })

  it('goes without TLS to an allowed private address alone', async () => {
    const url = new URL(plain.address)
    plain.answers.set('/x', 'plain')
    const talk = await converse('127.0.0.0/8')(url)
    expect((await talk.get(new URL('/x', url), never)).body.toString()).toBe('plain')
    talk.close()
    await expect(converse('10.0.0.0/8')(url)).rejects.toThrow('private_address')
    await expect(converse('', ['192.0.2.1', '8.8.8.8'])(new URL('http://w.example/'))).rejects.toThrow(
      'refused',
    )
    await expect(converse('', ['8.8.8.8'])(new URL('http://w.example/'))).rejects.toThrow('without TLS')
  })
})
