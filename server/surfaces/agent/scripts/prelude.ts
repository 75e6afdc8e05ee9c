// The first code inside a script's engine. It makes the globals of the program. Its text is evaluated there, so it
// refers to nothing outside of itself.

/** The only ways out of the engine. Everything that crosses is a string, a number or a boolean. */
export interface Outside {
  /**
   * An empty text in place of the arguments says that they are too long.
   * @returns an empty string, or the failure as JSON when a limit forbids the call
   */
  readonly call: (id: number, tool: string, args: string) => string
  /** An empty text says that the line is too long. */
  readonly line: (text: string) => void
  readonly sleep: (id: number, ms: number) => boolean
  readonly random: () => number
  /** An empty text says that it is too long. */
  readonly ended: (returned: boolean, text: string) => void
}

/** What the thread calls inside the engine. */
interface Inside {
  readonly start: (program: () => Promise<unknown>) => void
  readonly settle: (id: number, ok: boolean, text: string) => void
  /** What was thrown, as JSON. Also for errors that did not come from the program’s own promise. */
  readonly describe: (thrown: unknown) => string
  /** The description of a failed call whose failure nothing has seen, or an empty string. */
  readonly unseen: () => string
}

/**
 * Takes every built-in that it needs before the program can replace it. What the program replaces afterwards changes
 * only what the program itself sees.
 */
export function prelude(outside: Outside, toolNames: string, longestText: number): Inside {
  const { call, line, sleep, random, ended } = outside
  const { stringify, parse } = JSON
  const { apply } = Reflect
  const { create, defineProperty, freeze } = Object
  const { isArray } = Array
  const { slice } = String.prototype
  const NativePromise = Promise
  const NativeError = Error
  const NativeTypeError = TypeError
  const NativeString = String
  const { then } = Promise.prototype
  const { species } = Symbol
  const failures = new WeakMap<object, number>()
  const failureOf = WeakMap.prototype.get
  const keepFailure = WeakMap.prototype.set

  type Settle = (ok: boolean, text: string) => void
  // Objects without a prototype: a setter on Object.prototype is not called.
  const waiting: Record<number, Settle> = create(null)
  const unseen: Record<number, string> = create(null)
  let lastId = 0

  const cut = (text: unknown, longest = 2_000): string | undefined =>
    typeof text === 'string' ? apply(slice, text, [0, longest]) : undefined

  const describe = (thrown: unknown, unhandled = false): string => {
    const told: Record<string, unknown> = create(null)
    try {
      if (typeof thrown === 'object' && thrown !== null) {
        const { name, message, stack } = thrown as { name?: unknown; message?: unknown; stack?: unknown }
        told.name = cut(name)
        told.message = cut(message)
        told.stack = cut(stack)
        told.call = apply(failureOf, failures, [thrown])
        // A thrown object that is no error: its JSON is all that there is to say.
        if (told.message === undefined) told.message = cut(stringify(thrown))
      } else told.message = cut(NativeString(thrown))
    } catch {
      told.message ??= 'The thrown value cannot be shown.'
    }
    if (unhandled) told.unhandled = true
    return stringify(told)
  }

  const show = (value: unknown): string => {
    if (typeof value === 'string') return value
    if (typeof value === 'bigint') return NativeString(value)
    try {
      if (value instanceof NativeError) {
        const { name, message } = value
        return `${cut(name)}: ${cut(message)}`
      }
      const text = stringify(value)
      return text === undefined ? NativeString(value) : text
    } catch {
      return '[a value that cannot be shown]'
    }
  }

  class ToolError extends NativeError {
    readonly code: unknown
    readonly errors: readonly unknown[]
    constructor(id: number, tool: string, text: string, place: string | undefined) {
      const failure = parse(text) as { code?: unknown; message?: unknown; errors?: unknown }
      const errors = isArray(failure.errors) ? (failure.errors as readonly unknown[]) : []
      const first = errors[0] as { code?: unknown; detail?: unknown } | undefined
      super(`${tool}: ${cut(first === undefined ? failure.message : first.detail)}`)
      this.code = first === undefined ? failure.code : first.code
      this.errors = errors
      // The place of the call, because the stack of an answer has nothing of the program.
      defineProperty(this, 'stack', { value: place, writable: true, configurable: true })
      apply(keepFailure, failures, [this, id])
    }
  }
  defineProperty(ToolError.prototype, 'name', { value: 'ToolError', writable: true, configurable: true })

  /** A promise that knows whether anything waits for it, as await and Promise.all do by its `then`. */
  class Call extends NativePromise<unknown> {
    id = 0
    seen = false
    static get [species]() {
      return NativePromise
    }
    // biome-ignore lint/suspicious/noThenProperty: a promise has this member
    override then<A = unknown, B = never>(
      kept?: ((value: unknown) => A | PromiseLike<A>) | null,
      broken?: ((reason: unknown) => B | PromiseLike<B>) | null,
    ): Promise<A | B> {
      this.seen = true
      delete unseen[this.id]
      return apply(then, this, [kept, broken]) as Promise<A | B>
    }
  }

  const newCall = (tool: string, args: unknown): Call => {
    const place = new NativeError().stack
    const id = ++lastId
    let settle: Settle = () => undefined
    const made = new Call((resolve, reject) => {
      settle = (ok, text) => {
        if (ok) {
          resolve(parse(text))
          return
        }
        const error = new ToolError(id, tool, text, typeof place === 'string' ? place : undefined)
        if (!made.seen) unseen[id] = describe(error, true)
        reject(error)
      }
    })
    made.id = id
    let text: unknown
    try {
      text = args === undefined ? '{}' : stringify(args)
    } catch {
      text = undefined
    }
    if (typeof text !== 'string') {
      settle(
        false,
        '{"errors":[{"code":"invalid_argument","detail":"the arguments are no JSON object","meta":{}}]}',
      )
      return made
    }
    waiting[id] = settle
    const refused = text.length > longestText ? call(id, tool, '') : call(id, tool, text)
    if (refused !== '') {
      delete waiting[id]
      settle(false, refused)
    }
    return made
  }

  // `then` and `toJSON` are asked of every object that is awaited or printed.
  const missing = new Proxy(freeze(create(null)), {
    get: (_, name) => {
      if (typeof name === 'string' && name !== 'then' && name !== 'toJSON')
        throw new NativeTypeError(`there is no tool ${cut(name, 100)}`)
    },
  })
  const tools: Record<string, unknown> = create(missing)
  const names: unknown = parse(toolNames)
  if (isArray(names))
    for (const tool of names) {
      // A method, because it has no prototype and is no constructor.
      const { [tool]: method } = {
        [tool](args: unknown) {
          return newCall(tool, args)
        },
      }
      tools[tool] = freeze(method)
    }

  const write = (values: readonly unknown[]): void => {
    let text = ''
    for (let at = 0; at < values.length; at += 1) text += at === 0 ? show(values[at]) : ` ${show(values[at])}`
    line(text.length > longestText ? '' : stringify(text))
  }
  const console: Record<string, unknown> = create(null)
  for (const level of ['log', 'info', 'warn', 'error', 'debug'])
    console[level] = freeze((...values: unknown[]) => write(values))

  const global = globalThis as unknown as Record<string, unknown>
  const fixed = (target: object, name: string, value: unknown): void => {
    defineProperty(target, name, { value, writable: false, enumerable: false, configurable: false })
  }
  fixed(global, 'tools', freeze(tools))
  fixed(global, 'console', freeze(console))
  fixed(
    global,
    'sleep',
    freeze(
      (ms: unknown) =>
        new NativePromise<void>((resolve, reject) => {
          const id = ++lastId
          waiting[id] = () => resolve()
          if (sleep(id, typeof ms === 'number' ? ms : 0)) return
          delete waiting[id]
          reject(new NativeError('too many calls of sleep() have not ended'))
        }),
    ),
  )
  defineProperty(Math, 'random', { value: () => random(), writable: true, configurable: true })
  // Shared memory is a clock, and so is the moment at which something is collected.
  for (const name of ['SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'performance'])
    delete global[name]

  return {
    start: (program) => {
      const failed = (thrown: unknown): void => {
        const text = describe(thrown)
        ended(false, text.length > longestText ? '' : text)
      }
      apply(then, program(), [
        (value: unknown) => {
          let text: string | undefined
          try {
            text = stringify(value)
          } catch (thrown) {
            failed(thrown)
            return
          }
          if (text === undefined) text = 'null'
          ended(true, text.length > longestText ? '' : text)
        },
        failed,
      ])
    },
    settle: (id, ok, text) => {
      const waits = waiting[id]
      delete waiting[id]
      waits?.(ok, text)
    },
    describe: (thrown) => describe(thrown),
    unseen: () => {
      for (const id in unseen) return unseen[id] ?? ''
      return ''
    },
  }
}
