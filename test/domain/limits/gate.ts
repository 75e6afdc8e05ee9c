// A TCP gate before the database that can be shut (nobody gets in) or mute (everybody gets in and nobody an answer).
import { connect, createServer, type Socket } from 'node:net'

export interface Gate {
  readonly through: (url: string) => string
  readonly set: (state: 'open' | 'shut' | 'mute') => void
  readonly close: () => Promise<void>
}

export async function openGate(url: string): Promise<Gate> {
  const { hostname, port } = new URL(url)
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: 'open' | 'shut' | 'mute' = 'open'
  const server = createServer((client) => {
    if (state === 'shut') {
      client.destroy()
      return
    }
    const backend = connect({ host: hostname, port: Number(port) })
    const pair = [client, backend] as const
    pairs.add(pair)
    client.on('data', (bytes) => backend.write(bytes))
    backend.on('data', (bytes) => client.write(bytes))
    if (state === 'mute') backend.pause()
    for (const [one, other] of [pair, [backend, client] as const]) {
      one.on('error', () => other.destroy())
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const ours = typeof address === 'object' && address !== null ? address.port : 0
  const drop = (): void => {
    for (const [client, backend] of pairs) {
      client.destroy()
      backend.destroy()
    }
  }
  return {
    through: (text) => Object.assign(new URL(text), { hostname: '127.0.0.1', port: String(ours) }).href,
    set: (next) => {
      state = next
      if (next === 'shut') drop()
      for (const [, backend] of pairs) {
        if (next === 'mute') backend.pause()
        else backend.resume()
      }
    },
    close: async () => {
      drop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
