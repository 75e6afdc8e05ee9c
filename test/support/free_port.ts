// Ports for servers that are to come back where they were, or whose address is needed before they listen.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The system takes the ports of outgoing connections from 32,768 on, so none of those gets one of these. */
const [LOWEST, HIGHEST] = [16_384, 32_767]

/** A port of 127.0.0.1 that was free a moment ago, and that no connection is given by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
