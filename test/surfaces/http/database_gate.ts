// A TCP gate before the database: shut, nobody gets in and everybody inside is thrown out; opened, all is as before.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../../support/free_port.ts'

export interface DatabaseGate {
  /** The url given, through this gate. */
  readonly through: (url: string) => string
  readonly shut: () => Promise<void>
  readonly open: () => Promise<void>
}

export async function openDatabaseGate(): Promise<DatabaseGate> {
  const sockets = new Set<Socket>()
  let behind = { host: '127.0.0.1', port: 5432 }
  let server: Server | undefined
  const port = await freePort()
  const open = async (): Promise<void> => {
    const listening = createServer((client) => {
      const backend = connect(behind)
      for (const [one, other] of [
        [client, backend],
        [backend, client],
      ] as const) {
        sockets.add(one)
        one.pipe(other)
        one.on('error', () => other.destroy())
        one.on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
      }
    })
    await new Promise<void>((resolve) => void listening.listen(port, '127.0.0.1', resolve))
    server = listening
  }
  await open()
  return {
    through: (text) => {
      const url = new URL(text)
      behind = { host: url.hostname, port: Number(url.port) }
      return Object.assign(url, { hostname: '127.0.0.1', port: String(port) }).href
    },
    shut: async () => {
      const closed = new Promise((resolve) => server?.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
      server = undefined
    },
    open: async () => {
      if (server === undefined) await open()
    },
  }
}
