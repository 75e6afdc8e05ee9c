// A plain server of files, as anybody has one: it knows nothing of logs.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'

export interface StaticServer {
  /** Without a slash at the end. */
  readonly address: string
  readonly close: () => Promise<void>
}

export async function serveFolder(folder: string): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname)))
    stat(path).then(
      (found) => {
        if (!found.isFile()) return response.writeHead(404).end()
        response.writeHead(200, { 'content-length': found.size })
        return createReadStream(path).pipe(response)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return {
    address: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
