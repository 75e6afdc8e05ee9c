// Connections of one account that start at the first beacon again and again, in a thread of their own.
import { workerData } from 'node:worker_threads'
import { joinRaw } from './raw_stream.ts'

const { port, key, genesis, sockets } = workerData as {
  port: number
  key: string
  genesis: string
  sockets: number
}
/** Just within what a connection may send: 60 commands in 10 s. */
const EVERY_MS = 170

for (let n = 0; n < sockets; n += 1) {
  const stream = await joinRaw(port, key)
  setInterval(() => {
    stream.heard.length = 0
    stream.say(`42/console,["subscribe",{"stream":"beacons","after":"${genesis}"}]`)
  }, EVERY_MS)
}
