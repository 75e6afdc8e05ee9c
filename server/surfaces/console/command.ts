// Runs the commands of stream clients. Each connection runs one at a time, each gets one
// answer, and none ever throws.
import type { Socket } from 'socket.io'
import {
  type CommandName,
  type CommandRefused,
  commands,
  connectionLimits,
  type RefreshTokenAnswer,
  type StreamRefusalCode,
  type SubscribeAnswer,
  type SwitchTeamAnswer,
  streamRefusalCodes,
} from '../../../shared/wire/console_stream.ts'
import type { Log } from '../../kernel/log.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { isDatabaseUnavailable } from '../../store/database_errors.ts'
import { HandshakeRefused } from './handshake.ts'
import type { CountEvent, Session } from './session.ts'

type Answer = SubscribeAnswer | SwitchTeamAnswer | RefreshTokenAnswer

/** `reply` sends the acknowledgement in the same tick. It does nothing when the client requested none. */
export type StreamCommand = (
  session: Session,
  input: Readonly<Record<string, unknown>>,
  reply: (answer: Answer) => void,
) => Promise<void>

interface CommandParts {
  readonly table: Readonly<Record<CommandName, StreamCommand>>
  readonly log: Log
  readonly count: CountEvent
}

const TOO_MANY = `at most ${connectionLimits.commands} commands in ${connectionLimits.commands_window_ms / 1_000} s`

const COMMAND_NAMES: ReadonlySet<unknown> = new Set(Object.values(commands))
const isCommand = (name: unknown): name is CommandName => COMMAND_NAMES.has(name)

export const refusedWith = (
  code: StreamRefusalCode,
  message: string = streamRefusalCodes[code],
): CommandRefused => ({
  ok: false,
  code,
  message,
})

/** Takes every event of the client. It does not listen by event name, so every name gets an answer. */
export function takeCommands(parts: CommandParts, session: Session): void {
  const { socket } = session
  const heard = (name: unknown, ...sent: unknown[]): void => {
    if (session.ended !== undefined) return
    const { input, reply } = readArguments(parts, socket, sent)
    const now = performance.now()
    if (!session.commandWindow.take(now)) {
      const wait = Math.ceil(session.commandWindow.wait(now))
      reply({ ...refusedWith('rate_limited', TOO_MANY), retry_after_ms: wait })
      return
    }
    parts.count('commands')
    session.counts.commands += 1
    if (!isCommand(name)) return void reply(refusedWith('invalid_argument', 'no such command'))
    if (input === undefined) return void reply(refusedWith('invalid_argument', 'a command takes one object'))
    session.queue = session.queue.then(async () => {
      if (session.ended !== undefined) return
      try {
        await parts.table[name](session, input, reply)
      } catch (error) {
        reply(refusalOf(parts.log, name, error))
      }
    })
  }
  socket.onAny((name: unknown, ...sent: unknown[]) => {
    try {
      heard(name, ...sent)
    } catch (error) {
      // Socket.IO calls this listener directly, so an error thrown here would end the process.
      parts.log.error({ err: error }, 'stream.command_failed')
    }
  })
}

function refusalOf(log: Log, command: CommandName, error: unknown): CommandRefused {
  if (error instanceof HandshakeRefused) return refusedWith(error.data.code)
  if (error instanceof Refusal && isKnown(error.code))
    return refusedWith(error.code, error.problems[0]?.detail)
  if (isDatabaseUnavailable(error)) return refusedWith('database_unavailable')
  log.error({ err: error, command }, 'stream.command_failed')
  return refusedWith('internal')
}

const isKnown = (code: string): code is StreamRefusalCode => Object.hasOwn(streamRefusalCodes, code)

function readArguments({ count, log }: CommandParts, socket: Socket, sent: readonly unknown[]) {
  const last = sent.at(-1)
  const given = typeof last === 'function' ? sent.slice(0, -1) : sent
  const [first] = given
  return {
    input: given.length === 1 && isRecord(first) ? first : undefined,
    reply: (answer: Answer): void => {
      if (!answer.ok) count('commands_refused')
      try {
        if (typeof last === 'function' && socket.connected) last(answer)
      } catch (error) {
        log.error({ err: error }, 'stream.answer_failed')
      }
    },
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
