// A socket of the console namespace: WebSocket first, long polling where WebSocket is blocked. beacon_stream
// reconnects, not the library.
import type { Socket } from 'socket.io-client'
import {
  CONSOLE_NAMESPACE,
  commands,
  connectionEvents,
  type HandshakeAuth,
} from '../../../../shared/wire/console_stream.ts'
import { ApiFailure } from '../api_failure.ts'
import type { Credential } from '../credential.ts'
import { isJsonObject } from '../shape.ts'

/**
 * `failures` counts failed attempts in a row. Every second attempt after a failure begins with polling,
 * because some proxies accept a WebSocket and then cut it. The library is loaded with the first socket.
 */
export const consoleSocket = async (token: string, failures: number): Promise<Socket> => {
  const { io } = await import('socket.io-client').catch(() => {
    throw new ApiFailure('unreachable', 'The server cannot be reached.')
  })
  return io(CONSOLE_NAMESPACE, {
    auth: { token } satisfies HandshakeAuth,
    transports: failures % 2 === 0 ? ['websocket', 'polling'] : ['polling', 'websocket'],
    // Required for the second transport: by default the library does not try it.
    tryAllTransports: true,
    reconnection: false,
    autoConnect: false,
    forceNew: true,
    timeout: 10_000,
  })
}

const ANSWER_WITHIN_MS = 10_000

/**
 * `first` is the token of the handshake. When the server refuses a replacement, the connection goes on until
 * its token ends, and the next one begins with a new token. The returned function ends all this.
 */
export const keepStreamToken = (
  { token, another, follow }: Credential,
  socket: Socket,
  first: string,
): (() => void) => {
  let accepted = first
  const replace = async (): Promise<void> => {
    const next = await token()
    if (next === accepted || !socket.connected) return
    const answer: unknown = await socket
      .timeout(ANSWER_WITHIN_MS)
      .emitWithAck(commands.refreshToken, { token: next })
    if (isJsonObject(answer) && answer.ok === true) accepted = next
  }
  const tryReplace = (): void => void replace().catch(() => undefined)
  // A new token is asked for in any case. When there is one, `follow` brings it here.
  const endsSoon = (): void => void another(accepted).then(tryReplace, () => undefined)
  socket.on(connectionEvents.tokenExpired, endsSoon)
  const unfollow = follow(tryReplace)
  // It may have changed during the handshake.
  tryReplace()
  return () => {
    socket.off(connectionEvents.tokenExpired, endsSoon)
    unfollow()
  }
}
