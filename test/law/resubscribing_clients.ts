// Connections of one account that start at the first beacon again and again, in a thread of their own.
import { workerData } from 'node:worker_threads'
import { beaconsAfter, enterStream } from '../surfaces/graphql/stream_client.ts'
import { joinRaw } from './raw_stream.ts'

const { stream, port, key, genesis, sockets } = workerData as {
  stream: 'console' | 'graphql'
  port: number
  key: string
  genesis: string
  sockets: number
}
/** Just within what a connection may send: 60 commands in 10 s. */
const EVERY_MS = 170

/** Returns what begins again. */
async function open(): Promise<() => void> {
  if (stream === 'graphql') {
    const { say } = await enterStream(port, key)
    let id = 0
    return () => {
      say({ id: String(id), type: 'complete' })
      id += 1
      say({ id: String(id), type: 'subscribe', payload: beaconsAfter(genesis) })
    }
  }
  const { heard, say } = await joinRaw(port, key)
  return () => {
    heard.length = 0
    say(`42/console,["subscribe",{"stream":"beacons","after":"${genesis}"}]`)
  }
}

for (let n = 0; n < sockets; n += 1) setInterval(await open(), EVERY_MS)
