// The tool that runs a program which calls the other tools, and all tools of the agent server: those of the catalog, and
// this one.
import { rethrown } from '../../../../shared/proof/bytes.ts'
import { memberOf } from '../../../../shared/proof/json_value.ts'
import { StrictJsonError } from '../../../../shared/proof/strict_json.ts'
import type { Catalog } from '../../../catalog/catalog.ts'
import { closedObject, wholeObject } from '../../../contract/schemas.ts'
import type { Limits } from '../../../domain/limits/limits.ts'
import { JsonParts } from '../../../kernel/json_text.ts'
import { present } from '../../../kernel/present.ts'
import { noMoreThan, type Refusal, refuse } from '../../../kernel/refusal.ts'
import { callerFields } from '../../http/identify.ts'
import { readRequestJson } from '../../http/read_body.ts'
import { catalogTools } from '../catalog_tools.ts'
import {
  type CallTool,
  type Tool,
  type ToolCall,
  type ToolHouse,
  type ToolResult,
  toolCaller,
} from '../tool.ts'
import { DECLARATIONS_URI, declarationsResource } from './declarations.ts'
import type { Thrown } from './messages.ts'
import { scriptCalls } from './script_calls.ts'
import { SCRIPT_LIMITS } from './script_limits.ts'
import type { ThreadEnd } from './script_thread.ts'
import { openScripts, type Scripts } from './scripts.ts'

interface RunScriptOptions {
  readonly scripts: Scripts
  /** The tools that scripts may call. */
  readonly tools: readonly Tool[]
  /** Calls one of them. */
  readonly callTool: CallTool
}

export const runScriptTool = (options: RunScriptOptions): Tool =>
  Object.freeze({
    name: 'run_script',
    title: 'Run a script',
    description: DESCRIPTION,
    // What its calls need beyond this is asked of each call.
    access: 'read',
    inputSchema: closedObject({ program: PROGRAM }, ['program']),
    outputSchema: OUTPUT,
    annotations: {
      title: 'Run a script',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    run: (call: ToolCall) => runScript(options, call),
  })

async function runScript({ scripts, tools, callTool }: RunScriptOptions, call: ToolCall) {
  const { house, caller } = call
  const { log } = house
  const source = readProgram(call)
  const revoked = new AbortController()
  const calls = scriptCalls(call, callTool, revoked)
  const ended = await scripts.run({
    userId: caller.userId,
    source,
    tools: tools.map(({ name }) => name),
    call: calls.answer,
    signal: AbortSignal.any([call.signal, revoked.signal]),
  })
  log.info(
    {
      ...callerFields(caller),
      end: ended.end.kind,
      limit: ended.end.kind === 'limit' ? ended.end.limit : undefined,
      calls: ended.calls,
      cpu_ms: ended.cpuMs,
      wall_ms: ended.wallMs,
      source_bytes: Buffer.byteLength(source),
    },
    'script.ended',
  )
  house.metrics.count('pharos_scripts_total', { end: ended.end.kind })
  house.metrics.observe('pharos_script_cpu_seconds', {}, ended.cpuMs / 1_000)
  if (revoked.signal.aborted) throw refuse('unauthorized')
  return answerOf(ended, calls)
}

/** @throws required, invalid_argument, invalid_body */
function readProgram({ args }: ToolCall): string {
  const program = memberOf(args, 'program')
  const unknown = Object.keys(args).find((name) => name !== 'program')
  if (unknown !== undefined) throw refuse('invalid_body', { path: [unknown] })
  if (program === undefined || program === null) throw refuse('required', { path: ['program'] })
  if (typeof program !== 'string')
    throw refuse('invalid_argument', { path: ['program'], detail: 'must be a text' })
  if (Buffer.byteLength(program) > SCRIPT_LIMITS.source_bytes)
    throw refuse(
      'invalid_argument',
      noMoreThan('must have', SCRIPT_LIMITS.source_bytes, 'bytes', { path: ['program'] }),
    )
  return program
}

const DESCRIPTION = [
  'Runs a JavaScript program that calls the other tools. Use it where one step does what otherwise takes many calls.',
  'The program is the body of an async function: what it returns is the result. `await tools.get_item({ id })` calls a tool and gives its structured result; a failed call throws a ToolError with `code` and `errors`. Promise.all makes calls side by side.',
  'console.log prints lines into the answer, `await sleep(ms)` waits. There is no network, no file and no import.',
  `At most ${SCRIPT_LIMITS.calls} calls, ${SCRIPT_LIMITS.wall_ms / 1_000} s, ${SCRIPT_LIMITS.cpu_ms / 1_000} s of processor time, ${SCRIPT_LIMITS.memory_bytes / 1_048_576} MiB of memory and ${SCRIPT_LIMITS.output_bytes / 1_024} KiB of output. Each call counts like a call made directly and needs the same scope. One that lacks it fails with \`insufficient_scope\`: call that tool once directly, and the user is asked for it.`,
  `The resource ${DECLARATIONS_URI} declares every tool in TypeScript.`,
].join('\n')

const PROGRAM = {
  type: 'string',
  maxLength: SCRIPT_LIMITS.source_bytes,
  description:
    'The body of an async function. const { data } = await tools.list_items({ limit: 50 }); return data.map(({ id }) => id)',
}

const OUTPUT = wholeObject({
  result: { description: 'What the program returned, as JSON; null for undefined.' },
  lines: {
    type: 'array',
    items: { type: 'string', maxLength: SCRIPT_LIMITS.output_bytes },
    maxItems: SCRIPT_LIMITS.lines,
    description: 'What it printed.',
  },
  calls: { type: 'integer', minimum: 0, maximum: SCRIPT_LIMITS.calls, description: 'Calls that it made.' },
  cpu_ms: { type: 'integer', minimum: 0, description: 'Milliseconds of processor time.' },
  wall_ms: { type: 'integer', minimum: 0, description: 'Milliseconds from start to end.' },
})

/** @throws script_failed, script_limit */
function answerOf(ended: ThreadEnd, calls: ReturnType<typeof scriptCalls>): ToolResult {
  const { end } = ended
  const about = {
    lines: readLines(ended.lines),
    calls: ended.calls,
    cpu_ms: ended.cpuMs,
    wall_ms: ended.wallMs,
  }
  switch (end.kind) {
    case 'returned': {
      rethrown(
        () => readRequestJson(end.text),
        StrictJsonError,
        ({ reason }) =>
          refuse('script_failed', {
            detail: `what the script returned is not accepted: ${reason}`,
            meta: about,
          }),
      )
      // The text was checked, and every digit of it stays as the program wrote it.
      const members = JSON.stringify(about).slice(1)
      return { json: new JsonParts([`{"result":${end.text},${members}`]), failed: false }
    }
    case 'threw':
      throw thrown(JSON.parse(end.text), calls, about)
    case 'limit':
      throw refuse('script_limit', {
        detail: `the script was ended: its ${end.limit} are at most ${SCRIPT_LIMITS[end.limit]}`,
        meta: { limit: end.limit, maximum: SCRIPT_LIMITS[end.limit], ...about },
      })
    case 'stuck':
      throw refuse('script_failed', {
        detail: 'the script waits for a promise that nothing settles',
        meta: about,
      })
    case 'aborted':
      throw refuse('cancelled')
    default:
      return end satisfies never
  }
}

/** Says with the name, message and line of the error what went wrong, and with the failure of the tool why. */
function thrown(
  { name, message, stack, call, unhandled }: Thrown,
  calls: ReturnType<typeof scriptCalls>,
  about: object,
): Refusal {
  const line = lineOf(stack)
  const failed = call === undefined ? undefined : calls.failureOf(call)
  const what = [name, message].filter((part) => part !== undefined && part !== '').join(': ')
  const detail = [
    what === '' ? 'the script failed' : what,
    ...(line === undefined ? [] : [`in line ${line}`]),
    ...(unhandled === true ? ['nothing waited for this call'] : []),
  ].join('; ')
  return refuse('script_failed', {
    detail: detail.toWellFormed(),
    meta: {
      ...present({ name: name?.toWellFormed(), message: message?.toWellFormed(), line, failed_call: failed }),
      ...about,
    },
  })
}

/** The topmost place in the program. */
function lineOf(stack: string | undefined): number | undefined {
  const [, line] = /\(?script\.js:(\d+)/.exec(stack ?? '') ?? []
  return line === undefined ? undefined : Number(line)
}

/** Each line crossed as the JSON text of a string. */
const readLines = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((text) => {
    const line: unknown = JSON.parse(text)
    return typeof line === 'string' ? [line.toWellFormed()] : []
  })

/** @param wait how long a proof takes, in words */
export function openAgentTools(house: ToolHouse, catalog: Catalog, limits: Limits, wait: string) {
  const called = catalogTools(catalog, wait)
  const scripts = openScripts({
    em: () => house.store.em('write'),
    limits,
    ceilings: house.services.ceilings,
  })
  const tools = [...called, runScriptTool({ scripts, tools: called, callTool: toolCaller(house, called) })]
  return Object.freeze({
    tools,
    callTool: toolCaller(house, tools),
    texts: [declarationsResource(called)],
    scripts,
  })
}
