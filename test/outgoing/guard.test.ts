// Names that change what they stand for: a request goes to what was vetted, or nowhere.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { createGuard, type ResolveName } from '../../server/outgoing/guard.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'

const guardOf = (resolve: ResolveName, allow = '', deny = '') =>
  createGuard({ resolve, allow: addressRanges(allow), deny: addressRanges(deny) })

const vet = (resolve: ResolveName, url = 'https://hooks.example.com/') => guardOf(resolve).vet(new URL(url))

describe('a name', () => {
  it.each([
    [['93.184.216.34'], 'allowed'],
    [['93.184.216.34', '2606:4700::1'], 'allowed'],
    [['93.184.216.34', '10.0.0.1'], 'private_address'],
    [['10.0.0.1', '93.184.216.34'], 'private_address'],
    [['93.184.216.34', '::1'], 'private_address'],
    [['93.184.216.34', '::ffff:10.0.0.1'], 'private_address'],
    [['93.184.216.34', 'not an address'], 'private_address'],
    [['127.0.0.1'], 'private_address'],
    [[], 'unresolved'],
  ])('that stands for %j is %s', async (addresses, verdict) => {
    expect(await vet(async () => addresses)).toMatchObject({ verdict })
  })

  it('whose servers fail is unresolved', async () => {
    const failing = Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL' })
    expect(await vet(() => Promise.reject(failing))).toEqual({ verdict: 'unresolved' })
  })

  it('is resolved without the dot at its end, and local ones not at all', async () => {
    const asked: string[] = []
    const resolve: ResolveName = async (host) => {
      asked.push(host)
      return ['93.184.216.34']
    }
    await vet(resolve, 'https://hooks.example.com./')
    for (const url of ['https://localhost/', 'https://LocalHost./', 'https://x.localhost:1/'])
      expect(await vet(resolve, url)).toEqual({ verdict: 'blocked_host' })
    for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://0x7f000001/'])
      expect(await vet(resolve, url)).toMatchObject({ verdict: 'private_address' })
    expect(asked).toEqual(['hooks.example.com'])
  })

  it('is let through to private addresses only where somebody allowed them', async () => {
    const guard = guardOf(async () => ['127.0.0.1', '93.184.216.34'], '127.0.0.0/8')
    expect(await guard.vet(new URL('https://hooks.example.com/'))).toMatchObject({ verdict: 'allowed' })
    expect(await guard.vet(new URL('https://10.0.0.1/'))).toMatchObject({ verdict: 'private_address' })
    expect(await guard.vet(new URL('https://localhost/'))).toEqual({ verdict: 'blocked_host' })
  })
})

describe('an address', () => {
  const standing = async (address: string, allow?: string, deny?: string) => {
    const guard = guardOf(async () => ['93.184.216.34', address], allow, deny)
    const { verdict } = await guard.vet(new URL('https://hooks.example.com/'))
    return verdict
  }

  it.each(['168.63.129.16', '64:ff9b::a83f:8110', '::ffff:168.63.129.16'])(
    'of the network of a cloud is refused, whatever is allowed: %s',
    async (address) => {
      expect(await standing(address)).toBe('private_address')
      expect(await standing(address, '0.0.0.0/0 ::/0')).toBe('private_address')
      expect(await standing('168.63.129.17')).toBe('allowed')
    },
  )

  it('that an operator denies is refused, in every form, whatever is allowed', async () => {
    const deny = '93.184.0.0/24, 2606:4700::/32, 127.0.0.9'
    for (const address of ['93.184.0.7', '64:ff9b::5db8:7', '2606:4700::1', '127.0.0.9'])
      expect(await standing(address, '127.0.0.0/8 93.184.0.7', deny), address).toBe('private_address')
    for (const address of ['93.184.1.7', '2606:4701::1', '127.0.0.8'])
      expect(await standing(address, '127.0.0.0/8', deny), address).toBe('allowed')
  })

  it('that is written into a URL is judged by the same rules', async () => {
    const guard = guardOf(async () => [], '', '93.184.0.0/24')
    for (const host of ['168.63.129.16', '0xA83F8110', '2822734096', '[64:ff9b::a83f:8110]', '93.184.7'])
      expect(await guard.vet(new URL(`https://${host}/`)), host).toMatchObject({ verdict: 'private_address' })
  })
})

describe('a delivery', () => {
  let webhooks: TestWebhooks
  let receiver: Receiver
  let answers: string[][] = []
  let asked = 0
  beforeAll(async () => {
    // 127.0.0.1 stands for the public Internet here, everything else in 127/8 for a private network.
    webhooks = await openTestWebhooks({
      allow: '127.0.0.1',
      resolve: async () => answers[Math.min(asked++, answers.length - 1)] ?? [],
    })
    receiver = await openReceiver({ host: '0.0.0.0' })
  })
  afterAll(async () => {
    await receiver.close()
    await webhooks.close()
  })
  afterEach(async () => {
    await webhooks.query('DELETE FROM webhook_endpoints')
    await webhooks.query('DELETE FROM webhook_deliveries')
    receiver.heard.length = 0
    receiver.respond(200)
  })

  const deliver = async (...addresses: string[][]) => {
    answers = addresses
    asked = 0
    await webhooks.endpoint({ url: receiver.url('hooks.example.com'), events: ['item.created'] })
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await webhooks.deliverDue()
    return (await webhooks.deliveries())[0]
  }

  it('to a name that has become private is cancelled, and nothing is sent', async () => {
    expect(await deliver(['127.0.0.2'])).toMatchObject({
      status: 'cancelled',
      httpStatus: null,
      attempts: 1,
      error: 'the host leads to a private or reserved address',
      attemptLog: [{ number: 1, resolved_addresses: ['127.0.0.2'], address: null, http_status: null }],
    })
    expect(receiver.connections()).toBe(0)
  })

  it('asks once, and goes to the answer it vetted, whatever a second answer would be', async () => {
    const delivery = await deliver(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.3'])
    expect(delivery).toMatchObject({ status: 'success', attemptLog: [{ address: '127.0.0.1' }] })
    expect(asked).toBe(1)
    expect(receiver.heard[0]?.headers.host).toBe(`hooks.example.com:${receiver.port}`)
  })

  it('is vetted again before every attempt, also when a connection is still open', async () => {
    receiver.respond(500)
    await deliver(['127.0.0.1'], ['127.0.0.2'])
    await webhooks.passTime()
    await webhooks.deliverDue()
    const [delivery] = await webhooks.deliveries()
    expect(delivery).toMatchObject({
      status: 'cancelled',
      attempts: 2,
      attemptLog: [{ address: '127.0.0.1' }, { resolved_addresses: ['127.0.0.2'], address: null }],
    })
    expect(receiver.heard).toHaveLength(1)
  })

  it('in the same batch as others goes where its own answer says', async () => {
    answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'], ['127.0.0.9']]
    asked = 0
    await webhooks.endpoint({ url: receiver.url('hooks.example.com'), events: ['item.created'] })
    await webhooks.ledger.submit({}, {}, {}, {})
    await webhooks.fanOutAll()
    await webhooks.deliverDue()
    const statuses = (await webhooks.deliveries()).map(({ status }) => status).toSorted()
    expect(statuses).toEqual(['cancelled', 'cancelled', 'success', 'success'])
    expect(receiver.heard).toHaveLength(2)
  })

  it('to a name that does not resolve is tried again, at the next address when there are several', async () => {
    expect(await deliver([])).toMatchObject({
      status: 'pending',
      attempts: 1,
      error: 'the host does not resolve',
    })
    answers = [['127.0.0.1', '127.0.0.1']]
    await webhooks.passTime()
    await webhooks.deliverDue()
    expect(await webhooks.deliveries()).toMatchObject([{ status: 'success', attempts: 2 }])
  })
})
