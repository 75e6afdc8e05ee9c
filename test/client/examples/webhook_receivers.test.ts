// The receivers among the examples: they take what the service signs, once each, and nothing else.
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  makeEndpointKey,
  messageSigner,
  secretOf,
} from '../../../server/domain/webhooks/endpoints/signing_keys.ts'
import { freePort } from '../../support/free_port.ts'
import { ask } from '../../support/http.ts'
import { makeTemporaryFolder } from '../../support/temporary_folder.ts'
import { isHere, type Language, type Running, start } from './example.ts'

const RECEIVERS: readonly (readonly [Language, file: string])[] = [
  ['node', 'webhook_receiver.mjs'],
  ['python', 'webhook_receiver.py'],
]

const [own, former, foreign] = ['v1', 'v1', 'v1'].map(() => makeEndpointKey('v1'))
if (own === undefined || former === undefined || foreign === undefined) throw new Error('No keys.')

const BODY = JSON.stringify({ type: 'item.committed', timestamp: 1, data: { id: 'Größe' } })
const message = (digit: number): string => `msg_${String(digit).repeat(26)}`

/** @param age seconds */
const signed = (keys: readonly (typeof own)[], { id = message(0), age = 0 } = {}): Record<string, string> => {
  const at = new Date(Date.now() - age * 1_000)
  const [, time = '', , signature = ''] = messageSigner(keys)({ id, at, payload: BODY })
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature }
}

let folder = ''
let running: Running | undefined
beforeEach(async () => {
  folder = await makeTemporaryFolder('pharos-example-')
})
afterEach(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
  running = undefined
  await rm(folder, { recursive: true, force: true })
})

it.each(RECEIVERS)(
  'the receiver in %s takes each signed message once, and nothing else',
  async (language, file) => {
    if (!isHere(language, file)) return
    const port = await freePort()
    const env = { PHAROS_SIGNING_SECRET: secretOf(own) ?? '', PORT: String(port) }
    const receiver = await start(language, file, { folder, env })
    running = receiver
    const send = async (headers: Record<string, string>, body = BODY): Promise<number> =>
      (await ask(port, '/', { headers, body })).status
    await expect.poll(() => send({}).catch(() => 0)).toBe(401)
    const refused: readonly (readonly [Record<string, string>, string?])[] = [
      [signed([foreign])],
      [signed([makeEndpointKey('v1a')])],
      [signed([own]), `${BODY} `],
      [signed([own], { age: 86_400 })],
      [signed([own], { age: -86_400 })],
      [{ ...signed([own]), 'webhook-id': message(9) }],
      [{ ...signed([own]), 'webhook-timestamp': 'now' }],
      [{ ...signed([own]), 'webhook-signature': 'v1,' }],
    ]
    for (const [headers, body] of refused) expect(await send(headers, body)).toBe(401)
    expect(await send(signed([own]))).toBe(204)
    expect(await send(signed([own], { age: 60 }))).toBe(204)
    expect(await send(signed([former, own], { id: message(1) }))).toBe(204)
    expect(await send({ ...signed([own]), 'webhook-id': message(2) }, 'x'.repeat(1_048_577))).toBe(413)
    await expect
      .poll(() => receiver.said().trim().split(/\r?\n/))
      .toEqual(Array(2).fill('item.committed Größe'))
  },
)

it.each(RECEIVERS)(
  'the receiver in %s outlives who goes away early or says that less than nothing comes',
  async (language, file) => {
    if (!isHere(language, file)) return
    const port = await freePort()
    const env = { PHAROS_SIGNING_SECRET: secretOf(own) ?? '', PORT: String(port) }
    const receiver = await start(language, file, { folder, env })
    running = receiver
    const send = async (headers: Record<string, string>): Promise<number> =>
      (await ask(port, '/', { headers, body: BODY })).status
    await expect.poll(() => send({}).catch(() => 0)).toBe(401)
    const begun = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length:'
    const early = connect(port, '127.0.0.1').resume()
    early.end(`${begun} 9\r\n\r\na`)
    await once(early, 'close')
    // Answered while the sender goes on: nothing is read to an end that does not come.
    const negative = connect(port, '127.0.0.1')
    negative.write(`${begun} -1\r\n\r\na`)
    const [answer] = await once(negative, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 4\d\d /)
    negative.destroy()
    expect(await send(signed([own]))).toBe(204)
    expect(receiver.child.exitCode).toBeNull()
  },
)

it.each(RECEIVERS)('the receiver in %s does not start without a secret', async (language, file) => {
  if (!isHere(language, file)) return
  const env = { PHAROS_SIGNING_SECRET: '' }
  const { code, err } = await (await start(language, file, { folder, env })).ended
  expect(code).toBe(1)
  expect(err).toContain('Set PHAROS_SIGNING_SECRET to the whsec_… of the endpoint.')
})
