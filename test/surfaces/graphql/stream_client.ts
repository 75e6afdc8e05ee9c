// The GraphQL stream as a client sees it: the protocol's own messages, and how the connection ended.
import { WebSocket } from 'ws'
import { eventually } from '../../support/http.ts'

export interface StreamClient {
  readonly socket: WebSocket
  readonly say: (message: object | string) => void
  readonly heard: readonly { readonly type: string; readonly id?: string; readonly payload?: unknown }[]
  /** The first message of this type, of this operation where one is named. */
  readonly hear: (type: string, id?: string) => Promise<{ readonly payload?: unknown }>
  readonly payloads: (id: string) => unknown[]
  readonly closed: Promise<{ readonly code: number; readonly why: string }>
}

export async function openStream(
  port: number,
  { path = '/gql', protocol = 'graphql-transport-ws' }: { path?: string; protocol?: string } = {},
): Promise<StreamClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocol)
  const heard: { type: string; id?: string; payload?: unknown }[] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  const closed = new Promise<{ code: number; why: string }>((resolve) =>
    socket.once('close', (code, why) => resolve({ code, why: String(why) })),
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    heard,
    hear: (type, id) =>
      eventually(() => heard.find((one) => one.type === type && (id === undefined || one.id === id))),
    payloads: (id) =>
      heard.filter((one) => one.type === 'next' && one.id === id).map(({ payload }) => payload),
    closed,
  }
}

/** Let in, or not: what came first. */
export async function enterStream(port: number, key: string): Promise<StreamClient> {
  const client = await openStream(port)
  client.say({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } })
  await client.hear('connection_ack')
  return client
}

/** Every one after the beacon with this id. */
export const beaconsAfter = (after: string) => ({
  query: 'subscription ($after: String) { beaconCreated(after: $after) { id hash timestamp previousHash } }',
  variables: { after },
})

export const BEACON_CREATED = 'subscription { beaconCreated { id hash timestamp previousHash } }'
