// A client of the stream that remembers everything it was told, in order.
import { io, type Socket } from 'socket.io-client'
import { expect } from 'vitest'
import type { Beacon, HandshakeRefusal, Welcome } from '../../../shared/wire/console_stream.ts'

export interface ClientOptions {
  readonly auth?: object
  readonly transports?: string[]
  readonly namespace?: string
  readonly reconnection?: boolean
}

export interface ConsoleClient {
  readonly socket: Socket
  readonly told: { readonly event: string; readonly body: unknown }[]
  readonly beacons: () => Beacon[]
  readonly of: (event: string) => Readonly<Record<string, unknown>>[]
  readonly ask: (command: string, ...input: unknown[]) => Promise<Readonly<Record<string, unknown>>>
  readonly ended: Promise<string>
}

const ANSWER_MS = 30_000

/** Waits for a condition. Live facts wait for the oldest transaction of the whole database server: neighbours make that long. */
export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 140_000, interval: 20 })

export function openClient(url: string, options: ClientOptions = {}): ConsoleClient {
  const { auth = {}, transports = ['websocket'], namespace = '/console', reconnection = false } = options
  const socket = io(`${url}${namespace}`, {
    auth,
    transports,
    reconnection,
    forceNew: true,
    reconnectionDelay: 50,
  })
  const told: { event: string; body: unknown }[] = []
  socket.onAny((event: string, body: unknown) => told.push({ event, body }))
  return {
    socket,
    told,
    of: (event) =>
      told.filter((one) => one.event === event).map(({ body }) => body as Record<string, unknown>),
    beacons: () => told.filter(({ event }) => event === 'beacon.created').map(({ body }) => body as Beacon),
    ask: (command, ...input) => socket.timeout(ANSWER_MS).emitWithAck(command, ...input),
    ended: new Promise((resolve) => socket.once('disconnect', resolve)),
  }
}

/** Settles when the server has said welcome. */
export async function connect(
  url: string,
  token: string,
  options: ClientOptions & { readonly tenant?: string } = {},
): Promise<ConsoleClient & { readonly welcome: Welcome }> {
  const { tenant } = options
  const client = openClient(url, { auth: { token, ...(tenant === undefined ? {} : { tenant }) }, ...options })
  const welcome = await new Promise<Welcome>((resolve, reject) => {
    client.socket.once('welcome', resolve)
    client.socket.once('connect_error', reject)
    client.socket.once('disconnect', (reason) => reject(new Error(`Before the welcome: ${reason}`)))
  })
  return { ...client, welcome }
}

/** What the server answers to a handshake that it refuses. */
export async function refusedHandshake(
  url: string,
  options: ClientOptions = {},
): Promise<Partial<HandshakeRefusal> | undefined> {
  const { socket } = openClient(url, options)
  try {
    return await new Promise((resolve, reject) => {
      socket.once('connect_error', (error: Error & { data?: HandshakeRefusal }) => resolve(error.data))
      socket.once('connect', () => reject(new Error('The handshake was accepted.')))
      socket.once('disconnect', (reason) => reject(new Error(`Before an answer: ${reason}`)))
    })
  } finally {
    socket.disconnect()
  }
}
