// A receiver of webhooks on this computer, over plain HTTP, as people have one while they write theirs.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { freePort } from '../support/free_port.ts'
import { eventually } from '../support/http.ts'

export interface HeardEvent {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: string
}

export interface LocalReceiver {
  readonly url: string
  readonly heard: readonly HeardEvent[]
  /** Resolves when so many were heard. */
  readonly heardOnce: (count: number) => Promise<readonly HeardEvent[]>
  /** The statuses of the next answers; 200 afterwards. A function is called with each event before its answer. */
  answers: number[]
  onEvent: (heard: HeardEvent) => Promise<void> | void
  readonly up: () => Promise<void>
  readonly down: () => Promise<void>
}

/** It is down at first. */
export async function localReceiver(): Promise<LocalReceiver> {
  const port = await freePort()
  const heard: HeardEvent[] = []
  let server: Server | undefined
  const receiver: LocalReceiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    heard,
    heardOnce: (count) => eventually(() => (heard.length >= count ? heard : undefined), 120_000),
    answers: [],
    onEvent: () => undefined,
    up: async () => {
      const opened = createServer(async (request, response) => {
        const parts: Buffer[] = []
        for await (const part of request) parts.push(part)
        const { headers, rawHeaders } = request
        const one = { headers, rawHeaders, body: Buffer.concat(parts).toString() }
        heard.push(one)
        await receiver.onEvent(one)
        response.writeHead(receiver.answers.shift() ?? 200).end()
      })
      server = opened
      await new Promise<void>((listening) => void opened.listen(port, '127.0.0.1', listening))
    },
    down: async () => {
      const closing = server
      server = undefined
      closing?.closeAllConnections()
      await new Promise<void>((closed) => (closing === undefined ? closed() : closing.close(() => closed())))
    },
  }
  return receiver
}
