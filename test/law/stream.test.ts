// The law of the streams: whatever a client sends, the cost is bounded, and so is the answer.
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { STREAM_LIMITS } from '../../server/surfaces/graphql/stream/stream_connection.ts'
import { type CommandName, commands, connectionLimits } from '../../shared/wire/console_stream.ts'
import { openTestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { beaconsAfter } from '../surfaces/graphql/stream_client.ts'
import { insertBlocks } from '../surfaces/jsonapi/crowd.ts'
import { costOfDoing, lawGround } from './cost.ts'
import { joinRaw, openRawStream, type RawStream } from './raw_stream.ts'

/** Blocks of a chain that needs more than one page, and not a whole number of pages. */
const BLOCKS = 630
const PAGE = 250
/**
 * Statements that one command may cause: a place in the chain, the feed's query, or a membership with its
 * user.
 */
const MOST_STATEMENTS = 8

let genesis: string
const ground = lawGround(async () => {
  const app = await openTestApp()
  await insertBlocks(app.query, BLOCKS - 1)
  await app.finalize()
  const [first] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height LIMIT 1')
  genesis = first?.id ?? ''
  return app
})

type Message = string | Uint8Array

const sizeOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0)

/**
 * Sends everything on a new connection, then waits until the last message is answered or the connection has
 * ended.
 */
async function judge(
  open: () => Promise<RawStream>,
  messages: readonly Message[],
  last: { readonly say: string; readonly hear: string },
): Promise<{ readonly heard: readonly string[]; readonly over: boolean }> {
  const opened: RawStream[] = []
  const allowed = await ground.plain.allowed(sizeOf(messages), connectionLimits.payload_bytes)
  const { done, cpuMs, statements } = await costOfDoing(
    async () => {
      const stream = await open()
      opened.push(stream)
      return async () => {
        stream.say(...messages, last.say)
        await stream.answered(last.hear)
        return stream
      }
    },
    allowed,
    MOST_STATEMENTS,
  )
  const told = { heard: done.heard, over: done.over() }
  for (const stream of opened) await stream.end()
  expect(done.bytes()).toBeLessThanOrEqual(connectionLimits.payload_bytes)
  expect(cpuMs).toBeLessThan(allowed)
  expect(statements).toBeLessThanOrEqual(MOST_STATEMENTS)
  return told
}

const deep = (open: string, close: string, depth: number, inner = ''): string =>
  open.repeat(depth) + inner + close.repeat(depth)
const FULL = connectionLimits.frame_bytes - 200
const named = (count: number, make: (n: number) => string): string =>
  `{${Array.from({ length: count }, (_, n) => make(n)).join(',')}}`

/** Arguments as JSON, by the limit that each exhausts. */
const INPUTS = {
  nothing: '',
  null: 'null',
  'a number': '1e308',
  'a text': JSON.stringify('x'.repeat(FULL)),
  'an empty object': '{}',
  'long values': named(4, (n) => `"${['stream', 'after', 'tenant', 'token'][n]}":"${'x'.repeat(FULL / 5)}"`),
  'values of the wrong type': '{"stream":["beacons"],"after":{},"tenant":1,"token":[true]}',
  'values of null': '{"stream":null,"after":null,"tenant":null,"token":null}',
  'a stream and a long place': `{"stream":"beacons","after":"${'0'.repeat(FULL - 100)}"}`,
  'deep arrays': deep('[', ']', FULL / 2),
  'deep objects': `{"stream":${deep('{"a":', '}', 9_000, '1')}}`,
  'a deep value in a known place': `{"stream":"beacons","after":${deep('[', ']', 30_000)}}`,
  'many members': named(5_000, (n) => `"m${n}":1`),
  'members of one name': named(4_000, () => '"stream":"x"'),
  'names of prototypes': '{"__proto__":{"stream":"beacons"},"constructor":{"prototype":{}},"stream":"x"}',
  'a long name': `{"${'x'.repeat(FULL - 10)}":1}`,
  'escapes of escapes': JSON.stringify({ stream: '\u0000'.repeat(FULL / 7) }),
  'many arguments': Array.from({ length: FULL / 3 }, () => '{}').join(','),
  'numbers of many digits': `{"stream":${'9'.repeat(FULL - 20)}}`,
} as const

const DONE = { say: '42/console,777["unsubscribe",{"stream":"beacons"}]', hear: '43/console,777[' }
const join = () => joinRaw(ground.app.port, ground.app.owner.key)
const command = (name: string, input: string, id = ''): string =>
  `42/console,${id}[${JSON.stringify(name)}${input === '' ? '' : `,${input}`}]`

const NAMES: readonly CommandName[] = Object.values(commands)

describe.each(NAMES)('%s', (name) => {
  it.each(Object.entries(INPUTS))('with %s is answered once, and costs little', async (_, input) => {
    const stream = await judge(join, [command(name, input, '5')], DONE)
    expect(stream.over).toBe(false)
    expect(stream.heard.filter((text) => text.startsWith('43/console,5['))).toHaveLength(1)
  })

  it('with an attachment as large as a frame costs little', async () => {
    const placeholder = '{"_placeholder":true,"num":0}'
    const wide = Array.from({ length: 1_500 }, () => placeholder).join(',')
    for (const input of [placeholder, `{"stream":${placeholder}}`, `[${wide}]`])
      await judge(
        join,
        [`451-/console,5["${name}",${input}]`, Buffer.alloc(connectionLimits.frame_bytes)],
        DONE,
      )
  })

  it('as often as is allowed at once, as large as is allowed, costs little', async () => {
    for (const input of [INPUTS['deep arrays'], INPUTS['long values'], INPUTS['many members']])
      await judge(
        join,
        Array.from({ length: connectionLimits.commands - 1 }, () => command(name, input)),
        DONE,
      )
  })
})

describe('on the console stream', () => {
  it.each<[string, readonly Message[]]>([
    ['a long name', [command('x'.repeat(FULL), '')]],
    ['a name that is none', ['42/console,[{"a":1}]', `42/console,[${deep('[', ']', 30_000)}]`]],
    ['names that Socket.IO keeps', ['42/console,["connect"]', '42/console,["disconnect",{}]']],
    ['an answer that nobody asked for', [`43/console,1[${deep('[', ']', 30_000)}]`]],
    ['an id of many digits', [`42/console,${'9'.repeat(FULL)}["unsubscribe",{}]`]],
    ['attachments that never come', ['459-/console,["subscribe"]', command('subscribe', '{}')]],
    ['more attachments than there are', [`45${'9'.repeat(FULL)}-/console,["subscribe"]`]],
    ['an attachment that nobody announced', [Buffer.alloc(FULL)]],
    ['a namespace that there is not', [`42/${'x'.repeat(FULL)},["a"]`]],
    ['a namespace to join, as often as is taken', Array.from({ length: 300 }, (_, n) => `40/n${n},{}`)],
    ['a deep token', [`40/console,{"token":${deep('[', ']', 30_000)}}`]],
    ['pings and pongs', Array.from({ length: 300 }, (_, n) => (n % 2 === 0 ? '2' : '3'))],
    ['a ping that is long', [`2${'x'.repeat(FULL)}`]],
    ['noise', ['\u0000'.repeat(FULL), 'x', '', '9']],
    ['more than a frame', ['x'.repeat(connectionLimits.frame_bytes + 1)]],
  ])('%s costs little', async (_, messages) => {
    await judge(join, messages, DONE)
  })

  it('thousands of packets in one payload of polling cost little', async () => {
    const at = '/socket.io/?EIO=4&transport=polling'
    const packets = [command('unsubscribe', '{}'), '2', command('subscribe', '[[[]]]', '1')]
    for (const packet of packets) {
      const body = Array.from({ length: Math.floor(FULL / (packet.length + 1)) }, () => packet).join('\x1e')
      const allowed = await ground.plain.allowed(body.length, connectionLimits.payload_bytes)
      const { done, cpuMs } = await costOfDoing(async () => {
        const { sid } = JSON.parse((await ask(ground.app.port, at)).text.slice(1)) as { sid: string }
        const path = `${at}&sid=${sid}`
        const headers = { 'content-type': 'text/plain' }
        await ask(ground.app.port, path, { body: `40/console,{"token":"${ground.app.owner.key}"}`, headers })
        for (let text = ''; !text.includes('"welcome"'); ) text = (await ask(ground.app.port, path)).text
        return () => ask(ground.app.port, path, { body, headers })
      }, allowed)
      expect(done.text.length).toBeLessThanOrEqual(connectionLimits.payload_bytes)
      expect(cpuMs).toBeLessThan(allowed)
    }
  })

  it('a flood of WebSocket pings ends the connection, as a flood of anything does', async () => {
    const stream = await join()
    for (let n = 0; n < 20_000 && !stream.over(); n += 1) stream.socket.ping()
    await eventually(() => (stream.over() ? true : undefined))
  })

  it('beginning at the first beacon again and again costs what is new, not the chain', async () => {
    const stream = await join()
    const catchUp = async (): Promise<void> => {
      stream.heard.length = 0
      stream.say(command('subscribe', `{"stream":"beacons","after":"${genesis}"}`, '1'))
      const messages = () => stream.heard.filter((frame) => frame.startsWith('4'))
      await eventually(() => (messages().length === BLOCKS + 1 ? true : undefined))
    }
    await catchUp()
    const times = 8
    const { statements, rows } = await costOfDoing(
      async () => async () => {
        for (let time = 0; time < times; time += 1) await catchUp()
      },
      Number.POSITIVE_INFINITY,
    )
    await stream.end()
    // A query for the cursor and one page each time, plus the server's periodic statements.
    expect(statements).toBeLessThanOrEqual(times * 3 + 16)
    expect(rows).toBeLessThanOrEqual(times * (PAGE + 2))
  })

  it('an account that does so on twelve connections has a share of the time, and others are answered', () =>
    expectShare('console'))
})

/** Of twelve connections of one account that begin at the first beacon again and again. */
async function expectShare(stream: 'console' | 'graphql'): Promise<void> {
  const other = await ground.app.account(`bystander-${stream}`)
  const latest = () => ask(ground.app.port, '/api/json/beacons/latest', { key: other.key })
  await latest()
  const worker = new Worker(new URL('./resubscribing_clients.ts', import.meta.url), {
    workerData: { stream, port: ground.app.port, key: ground.app.owner.key, genesis, sockets: 12 },
  })
  try {
    await eventually(async () => ((await connections(stream)) === 12 ? true : undefined))
    const began = performance.now()
    const before = process.threadCpuUsage()
    let answered = 0
    while (performance.now() - began < 2_000 || answered < 3) {
      expect((await latest()).status).toBe(200)
      answered += 1
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const { user, system } = process.threadCpuUsage(before)
    const share = (user + system) / 1_000 / (performance.now() - began)
    // A fifth is for the pages. The rest is for the commands and for the requests of the other account.
    expect(share).toBeLessThan(0.5)
  } finally {
    await worker.terminate()
  }
  await eventually(async () => ((await connections(stream)) === 0 ? true : undefined))
}

/** Connections of a stream, as the service counts them. */
const connections = async (stream: 'console' | 'graphql'): Promise<number> => {
  const { text } = await ask(ground.app.port, '/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`pharos_stream_connections{stream="${stream}"`))
  return Number(line?.split(' ').at(-1))
}

const enter = async (): Promise<RawStream> => {
  const stream = await openRawStream(ground.app.port, '/gql', ['graphql-transport-ws'])
  stream.say(
    JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${ground.app.owner.key}` } }),
  )
  await stream.answered('{"type":"connection_ack"')
  stream.heard.length = 0
  return stream
}
const openGraphql = () => openRawStream(ground.app.port, '/gql', ['graphql-transport-ws'])
const PING = { say: '{"type":"ping"}', hear: '{"type":"pong"}' }
const operation = (payload: object, id = 'a') => JSON.stringify({ id, type: 'subscribe', payload })
const GQL_FULL = STREAM_LIMITS.message_bytes - 300

describe('on the GraphQL stream', () => {
  it.each<[string, string]>([
    ['a long field', operation({ query: `subscription { ${'x'.repeat(GQL_FULL)} }` })],
    ['many fields', operation({ query: `subscription { ${'a '.repeat(GQL_FULL / 2)} }` })],
    ['a deep document', operation({ query: deep('{a', '}', GQL_FULL / 3) })],
    [
      'directives',
      operation({ query: `subscription { beaconCreated ${'@include(if: true)'.repeat(3_000)} { id } }` }),
    ],
    [
      'fragments that name each other',
      operation({
        query: `subscription { ...f0 } ${Array.from({ length: 1_000 }, (_, n) => `fragment f${n} on RootSubscriptionType { ...f${n + 1} }`).join(' ')}`,
      }),
    ],
    [
      'a deep variable',
      `{"id":"a","type":"subscribe","payload":{"query":"subscription($a: Int) { beaconCreated { id } }","variables":{"a":${deep('[', ']', 30_000)}}}}`,
    ],
    [
      'many variables',
      operation({
        query: 'subscription { beaconCreated { id } }',
        variables: JSON.parse(named(4_000, (n) => `"m${n}":1`)),
      }),
    ],
    ['a query', operation({ query: '{ listItems(first: 250) { results { id } } }' })],
    ['a long id', operation({ query: 'subscription { beaconCreated { id } }' }, 'x'.repeat(GQL_FULL / 8))],
    ['an operation of the wrong type', '{"id":1,"type":"subscribe","payload":[]}'],
    ['a deep message', deep('[', ']', GQL_FULL / 2)],
    ['no JSON', 'x'.repeat(GQL_FULL)],
    ['another init', '{"type":"connection_init"}'],
    ['a type that is none', JSON.stringify({ type: 'x'.repeat(GQL_FULL) })],
    ['more than a message', 'x'.repeat(STREAM_LIMITS.message_bytes + 1)],
    ['an end of nothing', JSON.stringify({ id: 'x'.repeat(GQL_FULL), type: 'complete' })],
  ])('%s costs little', async (_, message) => {
    await judge(enter, [message], PING)
  })

  it.each<[string, string]>([
    ['without a payload', '{"type":"connection_init"}'],
    ['of the wrong type', '{"type":"connection_init","payload":[1]}'],
    [
      'with a long key',
      JSON.stringify({
        type: 'connection_init',
        payload: { authorization: `Bearer ${'x'.repeat(GQL_FULL)}` },
      }),
    ],
    ['with a deep key', `{"type":"connection_init","payload":{"authorization":${deep('[', ']', 30_000)}}}`],
    [
      'with a team that is none',
      `{"type":"connection_init","payload":{"tenant":${JSON.stringify('x'.repeat(GQL_FULL))}}}`,
    ],
    ['with many members', `{"type":"connection_init","payload":${named(4_000, (n) => `"m${n}":1`)}}`],
  ])('an init %s is refused, and costs little', async (_, message) => {
    const stream = await judge(openGraphql, [message], { say: operation({ query: '{a}' }), hear: 'never' })
    expect(stream.over).toBe(true)
  })

  it('as many messages as are taken at once, as large as they may be, cost little', async () => {
    const message = operation({ query: `subscription { ${'a '.repeat(GQL_FULL / 2)} }` })
    const each = connectionLimits.payload_bytes
    const times = 15
    const allowed = await ground.plain.allowed(times * message.length, times * each)
    const { done, cpuMs } = await costOfDoing(async () => {
      const stream = await enter()
      return async () => {
        for (let n = 0; n < times; n += 1) stream.say(message.replace('"a"', `"${n}"`))
        stream.say(PING.say)
        await stream.answered(PING.hear)
        return stream
      }
    }, allowed)
    await done.end()
    expect(done.bytes()).toBeLessThanOrEqual(times * each)
    expect(cpuMs).toBeLessThan(allowed)
  })

  it('beginning at the first beacon again and again costs what is new, not the chain', async () => {
    const stream = await enter()
    let id = 0
    const catchUp = async (): Promise<void> => {
      stream.heard.length = 0
      id += 1
      stream.say(operation(beaconsAfter(genesis), String(id)))
      await eventually(() => (stream.heard.length === BLOCKS ? true : undefined))
      stream.say(`{"id":"${id}","type":"complete"}`)
    }
    await catchUp()
    const times = 4
    const { statements, rows } = await costOfDoing(
      async () => async () => {
        for (let time = 0; time < times; time += 1) await catchUp()
      },
      Number.POSITIVE_INFINITY,
    )
    await stream.end()
    // More periodic ones than on the console stream, because an event costs more and so comes later.
    expect(statements).toBeLessThanOrEqual(times * 3 + 48)
    expect(rows).toBeLessThanOrEqual(times * (PAGE + 2))
  })

  it('an account that does so on twelve connections has a share of the time, and others are answered', () =>
    expectShare('graphql'))

  it.each([
    ['pings of the protocol', (stream: RawStream) => stream.say(PING.say)],
    ['pings of WebSocket', (stream: RawStream) => stream.socket.ping()],
  ])('a flood of %s ends the connection', async (_, ping) => {
    const stream = await enter()
    for (let n = 0; n < 20_000 && !stream.over(); n += 1) ping(stream)
    await stream.answered('never')
    expect(stream.heard.length).toBeLessThanOrEqual(2 * STREAM_LIMITS.messages)
  })
})
