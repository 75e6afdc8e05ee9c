// The built-in receiver is reached by one exact name, by deliveries alone, and leads nowhere else.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { checkTarget, checkUrl } from '../../../server/domain/webhooks/endpoints/endpoint_rules.ts'
import { builtInReceiver } from '../../../server/domain/webhooks/receiver/built_in_receiver.ts'
import type { ReceiverAnswer } from '../../../server/domain/webhooks/receiver/receiver_address.ts'
import { receiverOff, requestOff } from '../../../server/domain/webhooks/receiver/receiver_off.ts'
import { type Arrived, shownHeaders } from '../../../server/domain/webhooks/receiver/receiver_request.ts'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { createGuard, type ResolveName } from '../../../server/outgoing/guard.ts'
import { letterhead, requestBytes } from '../../../server/outgoing/post_pinned.ts'
import { ReceiverFailure } from '../../../server/outgoing/receiver_bounds.ts'
import { conversePinned, getPinned } from '../../../server/outgoing/vetted_request.ts'

const TOKEN = 'A'.repeat(43)
const URL_OF_OURS = `https://receiver.pharos.test/${TOKEN}`

/** Every name stands for this machine, as an attacker's name server would say. */
const LOOPBACK: ResolveName = async () => ['127.0.0.1']

const guardOf = (hasReceiver: boolean, { resolve = LOOPBACK, allow = '' } = {}) =>
  createGuard({ resolve, allow: addressRanges(allow), hasReceiver })

describe('the name of the receiver', () => {
  it.each([
    URL_OF_OURS,
    `https://receiver.pharos.test:443/${TOKEN}`,
    // The URL parser has one spelling for these, and the guard sees only that.
    `https://RECEIVER.Pharos.TEST/${TOKEN}`,
    `https://ｒeceiver.pharos.test/${TOKEN}`,
    'https://receiver.pharos.test/',
  ])('is known as it is: %s', async (url) => {
    const never: ResolveName = async () => expect.fail('asked a name server')
    expect(await guardOf(true, { resolve: never }).vet(new URL(url))).toEqual({ verdict: 'own_receiver' })
  })

  it.each([
    'https://receiver.pharos.test./',
    'https://receiver.pharos.test../',
    'https://receiver.pharos.test:8443/',
    'https://receiver.pharos.test:4000/',
    'http://receiver.pharos.test/',
    'http://receiver.pharos.test:443/',
    'wss://receiver.pharos.test/',
    'https://user@receiver.pharos.test/',
    'https://user:secret@receiver.pharos.test/',
    'https://:secret@receiver.pharos.test/',
    'https://x.receiver.pharos.test/',
    'https://receiver.pharos.test.example.com/',
    'https://xreceiver.pharos.test/',
    'https://pharos.test/',
    'https://receiver.pharos.test%2eexample.com/',
    'https://example.com/receiver.pharos.test',
    'https://example.com/?https://receiver.pharos.test/',
    'https://example.com#receiver.pharos.test',
    'https://receiver.pharos.test@example.com/',
    'https://receiver-pharos.test/',
    'https://reсeiver.pharos.test/',
    'https://receiver。pharos.test.example.com/',
  ])('is no other: %s', async (url) => {
    for (const allow of ['', '127.0.0.0/8 ::1']) {
      const parsed = new URL(url)
      const verdict = await guardOf(true, { allow }).vet(parsed)
      // What any name that leads to loopback gets: the receiver makes no difference.
      expect(verdict).toEqual(await guardOf(false, { allow }).vet(parsed))
      expect(verdict.verdict).toBe(allow === '' ? 'private_address' : 'allowed')
    }
  })

  it('opens no loopback address to names and literals', async () => {
    const guard = guardOf(true)
    for (const url of [
      'https://hooks.example.com/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://2130706433/',
    ])
      expect(await guard.vet(new URL(url))).toMatchObject({ verdict: 'private_address' })
    for (const url of ['https://localhost/', 'https://x.localhost/'])
      expect(await guard.vet(new URL(url))).toEqual({ verdict: 'blocked_host' })
  })

  it('is a name like any other where the service has no receiver', async () => {
    const nobody: ResolveName = async () => []
    expect(await guardOf(false, { resolve: nobody }).vet(new URL(URL_OF_OURS))).toEqual({
      verdict: 'unresolved',
    })
    expect(await guardOf(false).vet(new URL(URL_OF_OURS))).toMatchObject({ verdict: 'private_address' })
  })

  it('may be registered, as https and without credentials', async () => {
    const guard = guardOf(true)
    expect(checkUrl(guard, URL_OF_OURS)).toEqual([])
    expect(await checkTarget(guard, URL_OF_OURS)).toEqual([])
    expect(checkUrl(guard, 'http://receiver.pharos.test/')).toMatchObject([{ meta: { reason: 'not_https' } }])
    expect(checkUrl(guard, 'https://a:b@receiver.pharos.test/')).toMatchObject([
      { meta: { reason: 'embedded_credentials' } },
    ])
    expect(await checkTarget(guard, 'https://receiver.pharos.test:8443/')).toMatchObject([
      { meta: { reason: 'private_address' } },
    ])
  })

  it('is refused to everything that reads documents or talks to witnesses', async () => {
    const guard = guardOf(true, { allow: '127.0.0.0/8' })
    const url = new URL(URL_OF_OURS)
    const signal = AbortSignal.timeout(1_000)
    await expect(getPinned({ guard })(url, { headers: [], signal })).rejects.toThrow('the host is refused')
    const allow = addressRanges('127.0.0.0/8')
    await expect(conversePinned({ guard, allow })(url)).rejects.toThrow('the host is refused')
  })
})

describe('the receiver', () => {
  it.each([
    [{ host: 'localhost' }, undefined],
    [{ host: '127.0.0.1' }, undefined],
    [{ host: '::1' }, undefined],
    [{ host: '::ffff:127.0.0.1' }, undefined],
    [{ baseUrl: 'http://localhost:4000' }, undefined],
    [{ baseUrl: 'http://[::1]:4000' }, undefined],
    [{ host: '0.0.0.0' }, 'host'],
    [{ host: '::' }, 'host'],
    [{ host: '192.168.1.4' }, 'host'],
    [{ host: 'localhost.example.com' }, 'host'],
    [{ host: '127.0.0.1.example.com' }, 'host'],
    [{ baseUrl: 'https://pharos.example.com' }, 'base_url'],
    [{ baseUrl: 'http://localhost.example.com' }, 'base_url'],
    [{ trustedProxies: addressRanges('10.0.0.0/8') }, 'proxy'],
  ])('with %j is off: %s', (exposure, off) => {
    expect(
      receiverOff({ host: 'localhost', baseUrl: undefined, trustedProxies: addressRanges(''), ...exposure }),
    ).toBe(off)
  })

  it.each([
    [{ host: 'localhost:4000' }, undefined],
    [{ host: '127.0.0.1' }, undefined],
    [{ host: '[::1]:4000' }, undefined],
    [{ host: 'pharos.example.com' }, 'proxy'],
    [{ host: 'localhost:4000', via: '1.1 front' }, 'proxy'],
    [{ host: 'localhost:4000', 'x-forwarded-for': '203.0.113.7' }, 'proxy'],
    [{ host: 'localhost:4000', forwarded: 'for=203.0.113.7' }, 'proxy'],
    [{}, 'proxy'],
  ])('for a request with %j is off: %s', (headers, off) => {
    expect(requestOff(headers)).toBe(off)
  })

  it('shows no value that an owner chose', () => {
    const raw = [
      'Host',
      'receiver.pharos.test',
      'authorization',
      'Bearer s',
      'X-Mine',
      'secret',
      'webhook-id',
      'msg_1',
    ]
    expect(shownHeaders([...raw, 'accept-encoding', 'secret', 'Accept-Encoding', 'identity'], false)).toEqual(
      [
        { name: 'Host', value: 'receiver.pharos.test' },
        { name: 'authorization', value: null },
        { name: 'X-Mine', value: null },
        { name: 'webhook-id', value: 'msg_1' },
        { name: 'accept-encoding', value: null },
        { name: 'Accept-Encoding', value: 'identity' },
      ],
    )
    expect(
      shownHeaders(
        Array.from({ length: 1_000 }, () => 'x'),
        false,
      ),
    ).toHaveLength(64)
  })
})

describe('a delivery to the receiver', () => {
  const arrived: Arrived[] = []
  let answers: ReceiverAnswer = 'ok'
  const receiver = builtInReceiver(
    async (request) => {
      arrived.push(request)
      return request.token === TOKEN ? answers : undefined
    },
    pino({ enabled: false }),
  )
  const post = (url: string, body = '{}', signal = AbortSignal.timeout(5_000)) => {
    const to = new URL(url)
    const headers = ['x-mine', ' \u00c3\u00bc ']
    return receiver
      .to('endpoint', to, '127.0.0.1')
      .post(requestBytes(letterhead('POST', to, headers), ['webhook-id', 'msg_1'], body), signal)
  }

  it('is taken as it would be sent', async () => {
    answers = 'ok'
    const body = '{"type":"item.created","name":"\u00fc\\r\\n\\r\\n"}'
    expect(await post(URL_OF_OURS, body)).toMatchObject({ status: 200, isFlood: false })
    const last = arrived.at(-1)
    expect(last).toMatchObject({ token: TOKEN, method: 'POST' })
    expect(String(last?.body)).toBe(body)
    expect(last?.rawHeaders).toEqual([
      ...['host', 'receiver.pharos.test', 'connection', 'keep-alive', 'x-mine', '\u00c3\u00bc'],
      ...['webhook-id', 'msg_1', 'content-length', String(Buffer.byteLength(body))],
    ])
  })

  it('goes to an address that there is, and nowhere else', async () => {
    expect(await post(`https://receiver.pharos.test/${'B'.repeat(43)}`)).toMatchObject({ status: 404 })
    const before = arrived.length
    for (const path of ['', 'A', `${TOKEN}/`, `${TOKEN}?x`, `${TOKEN}A`, `../${TOKEN}/..`])
      expect(await post(`https://receiver.pharos.test/${path}`), path).toMatchObject({ status: 404 })
    expect(arrived).toHaveLength(before)
  })

  it('is answered as its owner chose, and never beyond the time of an attempt', async () => {
    answers = 'error'
    expect(await post(URL_OF_OURS)).toMatchObject({ status: 500 })
    for (const waits of ['slow', 'never'] as const) {
      answers = waits
      const ended = new AbortController()
      const under = post(URL_OF_OURS, '{}', ended.signal)
      ended.abort(new Error('ended'))
      await expect(under, waits).rejects.toThrow()
    }
  })

  it('fails like one to a broken receiver when it cannot be kept', async () => {
    const broken = builtInReceiver(() => Promise.reject(new Error('no database')), pino({ enabled: false }))
    const to = new URL(URL_OF_OURS)
    const sent = broken.to('endpoint', to, '127.0.0.1')
    await expect(
      sent.post(requestBytes(letterhead('POST', to, []), [], '{}'), AbortSignal.timeout(5_000)),
    ).rejects.toBeInstanceOf(ReceiverFailure)
  })
})
