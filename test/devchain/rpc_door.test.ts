// Whoever knocks: without the password, with nonsense, with too much. The node answers and lives on.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METHODS } from '../../server/devchain/rpc_server.ts'
import { openTestNode, post, sendData, type TestNode } from './open_node.ts'

describe('the node’s door', () => {
  let node: TestNode
  let url: string
  beforeAll(async () => {
    node = await openTestNode()
    url = node.chain.rpcUrl
    await sendData(node.call, '01')
  })
  afterAll(async () => {
    expect(await node.call('getblockcount')).toBeGreaterThanOrEqual(0)
    await node.close()
  })

  const said = async (body: string) => {
    const { status, text } = await post(url, body)
    return { status, ...JSON.parse(text) }
  }

  it('is on loopback and opens to a random password only', async () => {
    const { hostname, username, password, pathname } = new URL(url)
    expect(hostname).toBe('127.0.0.1')
    expect(pathname).toBe('/wallet/pharos')
    expect(password.length).toBeGreaterThanOrEqual(32)
    const call = JSON.stringify({ id: 1, method: 'getblockcount', params: [] })
    for (const credentials of [
      '',
      'pharos:',
      `${username}:`,
      `:${password}`,
      `${username}:${password}x`,
      `x${username}:${password}`,
      `${username}:${password.toUpperCase()}`,
    ])
      expect(await post(url, call, { credentials })).toEqual({ status: 401, text: '' })
    const bare = await fetch(new URL(url).origin, { method: 'POST', body: call })
    expect(bare.status).toBe(401)
    expect(bare.headers.get('www-authenticate')).toBe('Basic realm="jsonrpc"')
  })

  it('opens to another password for reading headers, and for nothing else', async () => {
    const { readerUrl } = node.chain
    const { hostname, username, password } = new URL(readerUrl)
    expect(hostname).toBe('127.0.0.1')
    expect(password).not.toBe(new URL(url).password)
    expect(password.length).toBeGreaterThanOrEqual(32)
    const reading = ['getblockcount', 'getblockhash', 'getblockheader']
    const call = (method: string) => ({ id: 1, method, params: [] })
    for (const method of METHODS.keys()) {
      const { status, text } = await post(readerUrl, JSON.stringify(call(method)))
      if (reading.includes(method)) expect([200, 500]).toContain(status)
      else expect({ status, text }, method).toEqual({ status: 403, text: '' })
    }
    const mixed = JSON.stringify([call('getblockcount'), call('getnewaddress')])
    expect(await post(readerUrl, mixed)).toEqual({ status: 403, text: '' })
    expect((await post(readerUrl, JSON.stringify([call('getblockcount')]))).status).toBe(200)
    expect((await post(readerUrl, '{"id":1}')).status).toBe(400)
    for (const credentials of [`${username}:${new URL(url).password}`, `pharos:${password}`])
      expect((await post(readerUrl, '{"id":1}', { credentials })).status).toBe(401)
  })

  it('takes POST at its own paths', async () => {
    const call = JSON.stringify({ id: 1, method: 'getblockcount' })
    expect((await post(url, '', { method: 'GET' })).status).toBe(405)
    expect((await post(url, call, { path: '/' })).status).toBe(200)
    expect((await post(url, call, { path: '/other' })).status).toBe(404)
    const wallet = await post(url, call, { path: '/wallet/other' })
    expect(wallet.status).toBe(500)
    expect(JSON.parse(wallet.text).error.code).toBe(-18)
  })

  it('speaks both dialects, and takes batches', async () => {
    expect(await said('{"id":"a","method":"getblockcount"}')).toEqual({
      status: 200,
      result: 119,
      error: null,
      id: 'a',
    })
    expect(await said('{"jsonrpc":"2.0","id":7,"method":"getblockcount","params":[]}')).toEqual({
      status: 200,
      jsonrpc: '2.0',
      result: 119,
      id: 7,
    })
    expect(await said('{"jsonrpc":"2.0","id":7,"method":"nothing"}')).toEqual({
      status: 200,
      jsonrpc: '2.0',
      error: { code: -32601, message: 'Method not found' },
      id: 7,
    })
    const { status, text } = await post(url, '[{"id":1,"method":"getblockcount"},{"id":2,"method":"x"},3]')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject([
      { id: 1, result: 119 },
      { id: 2, error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
    ])
  })

  it.each([
    ['an unknown method', '{"id":1,"method":"stop"}', 404, -32601],
    ['a name every object has', '{"id":1,"method":"constructor"}', 404, -32601],
    ['no method', '{"id":1}', 400, -32600],
    ['a method that is none', '{"id":1,"method":{"a":1}}', 400, -32600],
    ['parameters by name', '{"id":1,"method":"getblockhash","params":{"height":1}}', 400, -32600],
    ['a number', '7', 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a huge batch', `[${'1,'.repeat(500)}1]`, 400, -32600],
    ['no JSON', '{', 500, -32700],
    ['nothing', '', 500, -32700],
    ['a member twice', '{"id":1,"method":"a","method":"b"}', 500, -32700],
    ['depth', `{"id":1,"method":"signrawtransactionwithwallet","params":${'['.repeat(500_000)}`, 500, -32700],
    ['a wrong type', '{"id":1,"method":"getblockhash","params":["1"]}', 500, -3],
    ['a fraction', '{"id":1,"method":"getblockhash","params":[1.5]}', 500, -3],
    ['a height too high', '{"id":1,"method":"getblockhash","params":[9007199254740991]}', 500, -8],
    ['a height below zero', '{"id":1,"method":"getblockhash","params":[-1]}', 500, -8],
    ['a hash too short', '{"id":1,"method":"gettransaction","params":["ab"]}', 500, -8],
    ['a hash nobody knows', `{"id":1,"method":"gettransaction","params":["${'ab'.repeat(32)}"]}`, 500, -5],
    ['no transaction', '{"id":1,"method":"sendrawtransaction","params":["00"]}', 500, -22],
  ])('answers an error to %s', async (_, body, status, code) => {
    expect(await said(body)).toMatchObject({ status, error: { code } })
  })

  it('takes a megabyte and no more', async () => {
    const padded = (length: number) => `{"id":1,"method":"getblockcount"}${' '.repeat(length - 33)}`
    expect((await post(url, padded(1_048_576))).status).toBe(200)
    expect((await post(url, padded(1_048_577))).status).toBe(413)
    expect((await post(url, padded(1_048_576))).status).toBe(200)
  })

  it('answers every method with any parameters, and never with a fault of its own', {
    timeout: 120_000,
  }, async () => {
    const methods = [...METHODS.keys()]
    const hash = fc.constantFrom('ab'.repeat(32), await node.control.tip())
    const [waiting] = await node.control.waiting()
    const likely = fc.oneof(
      hash,
      fc.constantFrom<unknown>(waiting, 0, -1, 2 ** 31, 2 ** 53, true, null, '', '00', '020000000001', 'zz'),
      fc.record({ txid: hash, vout: fc.integer() }),
      fc.record({ txid: hash, vout: fc.nat(), sequence: fc.integer() }).map((input) => [input]),
      fc.constant([waiting]),
      fc.record({ data: fc.string() }),
      fc.record({ fee_rate: fc.double(), changePosition: fc.integer() }),
      fc.jsonValue({ maxDepth: 2 }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.array(likely, { maxLength: 4 }),
        async (method, params) => {
          const { status, error } = await said(JSON.stringify({ id: 1, method, params }))
          expect([200, 500]).toContain(status)
          expect(error?.code ?? 0, `${method} ${JSON.stringify(params)}: ${error?.message}`).not.toBe(-32603)
        },
      ),
      { numRuns: 600 },
    )
  })
})
