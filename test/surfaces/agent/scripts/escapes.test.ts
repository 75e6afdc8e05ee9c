// Programs that try to leave their engine, to disturb the border, or to take more than they may.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ScriptLimit, ScriptLimits } from '../../../../server/surfaces/agent/scripts/script_limits.ts'
import { type Given, resultOf, runProgram } from './program.ts'

const endOf = async (source: string, given: Given = {}) => (await runProgram(source, given)).end

describe('nothing of the server is in reach', () => {
  const ATTEMPTS = [
    '({}).constructor.constructor("return process")()',
    'Reflect.getPrototypeOf(async () => {}).constructor("return process")()',
    'tools.echo.constructor("return process")()',
    'console.log.constructor("return process.env")()',
    'Function("return require")()',
    'import("node:fs")',
    'import("quickjs:std")',
    'new SharedArrayBuffer(8)',
    'Atomics.wait(1)',
    'new WebAssembly.Module(new Uint8Array(8))',
    'new Worker("data:text/javascript,")',
    'fetch("http://127.0.0.1")',
    'setTimeout(() => 1, 1)',
    'performance.now()',
    'postMessage(1)',
    'std.getenv("HOME")',
  ]

  it('by name or by a constructor', async () => {
    const source = `const all = []
      for (const attempt of ${JSON.stringify(ATTEMPTS)})
        try { await eval('(async () => (' + attempt + '))()'); all.push(attempt) } catch (error) { all.push(error.name) }
      return all`
    expect(await resultOf(source)).toEqual(ATTEMPTS.map(() => 'ReferenceError'))
  })

  it('in everything that can be reached from the globals, by properties and prototypes', async () => {
    const names = await resultOf(`
      const seen = new Set(), found = new Set()
      const walk = (value) => {
        if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return
        seen.add(value)
        for (const key of Reflect.ownKeys(value)) {
          found.add(String(key))
          const { get, set, value: inside } = Reflect.getOwnPropertyDescriptor(value, key)
          walk(get); walk(set); walk(inside)
          if (typeof inside === 'string') found.add(inside)
        }
        walk(Reflect.getPrototypeOf(value))
      }
      walk(globalThis); walk(tools.echo({})); walk(sleep(0)); walk((async function* () {})())
      walk([][Symbol.iterator]()); walk(new Map().entries()); walk(/a/g[Symbol.matchAll]('a'))
      try { await tools.fail({}) } catch (error) { walk(error) }
      return [...found]`)
    if (!Array.isArray(names)) throw new Error('no list')
    expect(names).toContain('tools')
    for (const name of [
      'process',
      'require',
      'module',
      'fs',
      'env',
      'fetch',
      'Worker',
      'parentPort',
      'WebAssembly',
    ])
      expect(names).not.toContain(name)
    const told = names.join('\\n')
    for (const secret of [
      process.cwd(),
      process.env.PATH ?? 'PATH',
      process.env.HOME ?? 'HOME',
      'node_modules',
    ])
      expect(told).not.toContain(secret)
  })

  it('of the stack of an error that crossed the border', async () => {
    expect(
      await resultOf(`
        Error.prepareStackTrace = (error, sites) => sites
        const stacks = []
        for (const bad of [() => tools.echo(5n), () => tools.echo({ get a() { throw new Error() } }), () => tools.fail({})])
          try { await bad() } catch (error) { stacks.push(String(error.stack)) }
        return stacks.filter((stack) => /file:|node:|\\/work|worker|engine/.test(stack))`),
    ).toEqual([])
  })
})

describe('the border', () => {
  it('takes __proto__ as a name like others, in both directions', async () => {
    const sent: string[] = []
    const source = `
      const answer = await tools.echo(JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": {"b": 2}}}'))
      return [Object.keys(answer), answer.a, ({}).a, ({}).b, Object.getPrototypeOf(answer) === Object.prototype]`
    expect(await resultOf(source, { onCall: (_, args) => void sent.push(args) })).toEqual([
      ['__proto__', 'constructor'],
      null,
      null,
      null,
      true,
    ])
    expect(sent).toEqual(['{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}}}'])
  })

  it('is crossed by values only, however they are made', async () => {
    const sent: string[] = []
    const { end } = await runProgram(
      `Object.prototype.toJSON = undefined
      await tools.echo({ get a() { return 1 }, toJSON() { return { b: 2 } } })
      await tools.echo(new Proxy({}, { ownKeys: () => ['x'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 3 }), get: () => 3 }))
      await tools.echo()
      return { then(resolve) { resolve({ then(again) { again('at last') } }) } }`,
      { onCall: (_, args) => void sent.push(args) },
    )
    expect(sent).toEqual(['{"b":2}', '{"x":3}', '{}'])
    expect(end).toEqual({ kind: 'returned', text: '"at last"' })
  })

  it('is not confused by a program that closes its function, or answers itself', async () => {
    expect(await resultOf('}); globalThis.mine = 1; (async () => { return mine')).toBe(1)
    expect(
      await resultOf(`
        const call = tools.echo({ real: true })
        call.constructor.prototype.then = function (kept) { kept('forged') }
        return call`),
    ).not.toEqual({ real: false })
  })

  it('refuses to change the tools', async () => {
    expect(
      await resultOf(`const names = []
        for (const change of [
          () => { tools.echo = 1 }, () => delete tools.echo, () => { globalThis.tools = 1 }, () => { tools.mine = 1 },
          () => { tools.echo.call = 1 }, () => { console.log = 1 }, () => { globalThis.sleep = 1 },
        ]) try { change() } catch (error) { names.push(error.name) }
        return names`),
    ).toEqual(Array(7).fill('TypeError'))
  })
})

/** Small, so that the programs below reach them soon. */
const SMALL: Partial<ScriptLimits> = { cpu_ms: 40, wall_ms: 30_000 }

/** Processor time never runs out first, however busy the machine is. */
const ROOMY: Partial<ScriptLimits> = { cpu_ms: 20_000, wall_ms: 60_000, memory_bytes: 24 * 1_048_576 }

describe('every limit holds', () => {
  const CASES: readonly [string, ScriptLimit, string, Partial<ScriptLimits>?][] = [
    ['an endless loop', 'cpu_ms', 'for (;;);'],
    ['one of promises', 'cpu_ms', 'for (;;) await null'],
    ['one that catches what ends it', 'cpu_ms', 'for (;;) try { for (;;); } catch {} finally { continue }'],
    ['one in a getter of the result', 'cpu_ms', 'return { get a() { for (;;); } }'],
    ['one in a proxy that is thrown', 'cpu_ms', 'throw new Proxy({}, { get() { for (;;); } })'],
    ['one while a call is answered', 'cpu_ms', 'await tools.echo({}); for (;;);'],
    ['a regular expression', 'cpu_ms', 'return /(a+)+$/.test("a".repeat(40) + "b")'],
    [
      'a built-in that never looks at the time',
      'cpu_ms',
      'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    ],
    ['a list that grows', 'memory_bytes', 'const a = []; for (;;) a.push({})'],
    ['promises that never end', 'memory_bytes', 'const f = () => Promise.resolve().then(f); await f()'],
    ['a text that is parsed', 'memory_bytes', 'return JSON.parse("[" + "{},".repeat(3e6) + "1]").length'],
    ['a large result', 'output_bytes', 'return "x".repeat(3e5)'],
    [
      'a large error',
      'output_bytes',
      'throw Object.assign(new Error(), { get name() { console.log("x".repeat(3e5)) } })',
    ],
    ['many small lines', 'lines', 'for (;;) console.log("x")'],
    ['some large lines', 'output_bytes', 'for (;;) console.log("é".repeat(2e4))'],
    ['a long wait', 'wall_ms', 'await sleep(1e9)', { wall_ms: 300 }],
    ['a call that is not answered', 'wall_ms', 'await tools.fail({ forever: true })', { wall_ms: 300 }],
  ]
  it.each(CASES)('for %s', async (_, limit, source, limits = {}) => {
    const { end } = await runProgram(source, {
      limits: limit === 'cpu_ms' ? SMALL : { ...ROOMY, ...limits },
      onCall: (_tool, args) => (args.includes('forever') ? new Promise(() => undefined) : undefined),
    })
    expect(end).toEqual({ kind: 'limit', limit })
  })

  it('recursion is an error that a program can catch', async () => {
    const deep = [
      'function f() { f() } f()',
      'const o = { toString() { return "" + this } }; "" + o',
      'JSON.parse("[".repeat(1e5))',
      'eval("(".repeat(1e5))',
      'let a = []; for (let i = 0; i < 1e5; i += 1) a = [a]; String(a)',
      'let p = {}; for (let i = 0; i < 1e5; i += 1) p = new Proxy(p, {}); p.x',
    ]
    const source = `return ${JSON.stringify(deep)}.map((code) => {
      try { return (0, eval)('{' + code + '}') } catch (error) { return error.message }
    })`
    expect(await resultOf(source)).toEqual(deep.map(() => 'stack overflow'))
  })

  it('calls beyond the hundredth fail inside the program, without leaving it', async () => {
    const made: string[] = []
    const codes = await resultOf(
      `const all = await Promise.allSettled(Array.from({ length: 5_000 }, (_, i) => tools.echo({ i })))
      return [all.filter(({ status }) => status === 'fulfilled').length, all[4_999].reason.errors[0].meta]`,
      { onCall: (tool) => void made.push(tool) },
    )
    expect(codes).toEqual([100, { limit: 'calls', maximum: 100 }])
    expect(made).toHaveLength(100)
  })

  it('arguments that are too long are not sent', async () => {
    const sent: string[] = []
    const limits = await resultOf(
      `const limits = []
      for (const size of [6e5, 2e6]) await tools.echo({ a: 'x'.repeat(size) }).catch(({ errors }) => limits.push(errors[0].meta.limit))
      await Promise.all(Array.from({ length: 10 }, () => tools.echo({ a: 'x'.repeat(5e5) }).catch(({ errors }) => limits.push(errors[0].meta.limit))))
      return limits`,
      { onCall: (_, args) => void sent.push(args) },
    )
    expect(limits).toEqual(['argument_bytes', 'argument_bytes', 'waiting_bytes', 'waiting_bytes'])
    expect(sent).toHaveLength(8)
  })

  it('waits beyond the hundredth are refused', async () => {
    expect(
      await resultOf(
        'for (let i = 0; i < 100; i += 1) sleep(5e3); try { await sleep(1) } catch { return "refused" }',
      ),
    ).toBe('refused')
  })

  it('what an ended program had printed is kept', async () => {
    const { lines } = await runProgram('console.log("here"); for (;;);', { limits: SMALL })
    expect(lines).toEqual(['"here"'])
  })
})

describe('a program that is ended', () => {
  it('by its caller leaves no thread and no call behind', async () => {
    const leaving = new AbortController()
    const threads = () => Object(process.report.getReport()).workers.length
    // Of other files that ran in this worker of the tests.
    const others = threads()
    let during = 0
    let calling: AbortSignal | undefined
    const { runThread } = await import('../../../../server/surfaces/agent/scripts/script_thread.ts')
    const { end } = await runThread({
      source: 'await tools.echo({})',
      tools: ['echo'],
      now: () => 0,
      turn: async () => () => undefined,
      used: () => undefined,
      signal: leaving.signal,
      call: (_, signal) => {
        calling = signal
        during = threads()
        leaving.abort()
        return new Promise(() => undefined)
      },
    })
    expect(end).toEqual({ kind: 'aborted' })
    expect(calling?.aborted).toBe(true)
    expect([during - others, threads() - others]).toEqual([1, 0])
  })

  it('gives its memory back, whatever it had of it', async () => {
    // A process of its own, because other tests of this one take memory meanwhile.
    const child = fork(join(import.meta.dirname, 'memory_process.ts'), { execArgv: [] })
    const [keptMiB] = (await once(child, 'message')) as [number]
    // What they had together is 380 MiB.
    expect(keptMiB).toBeLessThan(250)
    const { end } = await runProgram('return new Uint8Array(7e7).length')
    expect(end).toEqual({ kind: 'limit', limit: 'memory_bytes' })
  })

  it('counts what it used when it does not say so itself', async () => {
    const { cpuMs } = await runProgram('return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)', {
      limits: { ...SMALL, cpu_ms: 50 },
    })
    expect(cpuMs).toBeGreaterThan(50)
  })

  it('does not keep the server from answering', async () => {
    const running = endOf('for (;;) for (const a of [1, 2, 3]) a.toString()', {
      limits: { cpu_ms: 300, wall_ms: 30_000 },
    })
    let turns = 0
    let ended = false
    void running.finally(() => {
      ended = true
    })
    while (!ended) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      turns += 1
    }
    expect(await running).toEqual({ kind: 'limit', limit: 'cpu_ms' })
    // In a thread of the server there would be none.
    expect(turns).toBeGreaterThan(3)
  })
})
