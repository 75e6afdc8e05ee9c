// What a program of run_script can do: return, throw, call tools, print, wait, and ask for the time.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { resultOf, runProgram, STARTED_AT_MS, thrownBy } from './program.ts'

describe('a program', () => {
  it('returns JSON, from tools too, whatever it did to the built-ins that carry it', async () => {
    expect(
      await resultOf(`
        JSON.stringify = () => { throw 1 }
        JSON.parse = undefined
        Promise.prototype.then = null
        Array.prototype[Symbol.iterator] = null
        Object.defineProperty(Object.prototype, 'settle', { set() { throw 1 } })
        const { a } = await tools.echo({ a: [1, 'é', null] })
        return { a, none: undefined }`),
    ).toEqual({ a: [1, 'é', null] })
    expect(await resultOf('// nothing')).toBeNull()
  })

  it('makes calls side by side, a few at once, and gets each its own answer', async () => {
    const eighth = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    const together = await resultOf(
      'return (await Promise.all(Array.from({ length: 30 }, (_, i) => tools.echo({ i })))).map(({ i }) => i)',
      {
        onCall: async () => {
          running += 1
          most = Math.max(most, running)
          if (running === 8) eighth.resolve()
          await eighth.promise
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
        },
      },
    )
    expect(together).toEqual(Array.from({ length: 30 }, (_, index) => index))
    expect(most).toBe(8)
  })

  it('catches the failure of a tool with its code and errors', async () => {
    expect(
      await resultOf(`
        try { await tools.fail({}) } catch (e) {
          return [e instanceof Error, e.name, e.message, e.code, e.errors]
        }`),
    ).toEqual([
      true,
      'ToolError',
      'fail: no such record',
      'not_found',
      [{ code: 'not_found', detail: 'no such record', meta: {} }],
    ])
  })

  it.each([
    ['a syntax error', '\n\nreturn (', 'SyntaxError', 'script.js:4'],
    [
      'a thrown error',
      '\nconst f = () => {\n  throw new RangeError("no") }\nf()',
      'RangeError',
      'script.js:3',
    ],
    ['the failure of a tool', '\n\n\n  await tools.fail({})', 'ToolError', 'script.js:4'],
    ['a tool that does not exist', '\nawait tools.nope()', 'TypeError', 'script.js:2'],
    ['an import', 'import fs from "fs"', 'SyntaxError', 'script.js:1'],
  ])('is told the line of %s', async (_, source, name, place) => {
    const thrown = await thrownBy(source)
    expect(thrown.name).toBe(name)
    expect(thrown.stack).toContain(place)
    if (source.includes('nope')) expect(thrown.message).toBe('there is no tool nope')
  })

  it('that throws something else says what it was', async () => {
    expect((await thrownBy('throw { a: 1 }')).message).toBe('{"a":1}')
    expect((await thrownBy('throw null')).message).toBe('null')
    expect((await thrownBy('throw { get message() { throw 1 } }')).message).toContain('cannot be shown')
    expect((await thrownBy('const a = {}; a.a = a; return a')).message).toBe('circular reference')
  })

  it('fails when nothing waits for a call that failed, and not when something does', async () => {
    expect(await thrownBy('tools.fail({})\nreturn 1')).toMatchObject({ name: 'ToolError', unhandled: true })
    expect(await resultOf('tools.fail({}).catch(() => 0)\nreturn 1')).toBe(1)
    expect(await resultOf('return (await Promise.allSettled([tools.fail({})]))[0].reason.code')).toBe(
      'not_found',
    )
  })

  it('ends when its calls are answered, also those that it did not wait for', async () => {
    const made: string[] = []
    const { end, calls } = await runProgram(
      'tools.echo({ n: 1 }).then(() => tools.echo({ n: 2 })); return 1',
      {
        onCall: (_, args) => void made.push(args),
      },
    )
    expect(end).toEqual({ kind: 'returned', text: '1' })
    expect(made).toEqual(['{"n":1}', '{"n":2}'])
    expect(calls).toBe(2)
  })

  it('that waits for nothing that could happen is ended at once', async () => {
    const { end, wallMs } = await runProgram('await new Promise(() => {})')
    expect(end).toEqual({ kind: 'stuck' })
    expect(wallMs).toBeLessThan(10_000)
  })

  it('prints what it likes as lines of text', async () => {
    const { lines } = await runProgram(
      'console.log("a", 1, { b: 2 }, new TypeError("t"), undefined, Symbol("s"), 5n); console.error("é\\u0000\\n")',
    )
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      'a 1 {"b":2} TypeError: t undefined Symbol(s) 5',
      'é\u0000\n',
    ])
  })

  it('has a clock that goes on while it waits for its turn to compute, and time of its own that does not', async () => {
    const WAIT_MS = 6_000
    let turns = 0
    const passed = await resultOf('const began = Date.now(); await sleep(1); return Date.now() - began', {
      limits: { wall_ms: WAIT_MS - 300 },
      turn: async () => {
        turns += 1
        if (turns === 2) await delay(WAIT_MS)
        return () => undefined
      },
    })
    expect(turns).toBe(2)
    expect(passed).toBeGreaterThanOrEqual(WAIT_MS - 20)
  })

  it('has our clock in UTC, which goes on, and numbers that differ from run to run', async () => {
    const look = `const a = Date.now(); await sleep(30); const b = Date.now()
      return [a, b, new Date(a).toString(), new Date(a).getTimezoneOffset(), Math.random(), Math.random()]`
    const [first, second] = [await resultOf(look), await resultOf(look)]
    if (!Array.isArray(first) || !Array.isArray(second)) throw new Error('no lists')
    const [a, b, text, offset, ...numbers] = first
    expect(a).toBeGreaterThanOrEqual(STARTED_AT_MS)
    expect(a).toBeLessThan(STARTED_AT_MS + 60_000)
    // A timer may fire a few milliseconds early.
    expect(b - a).toBeGreaterThanOrEqual(15)
    expect(text).toContain('2030')
    expect(text).toContain('GMT+0000')
    expect(offset).toBe(0)
    const drawn = [...numbers, ...second.slice(4)]
    expect(new Set(drawn).size).toBe(4)
    for (const number of drawn) expect(number >= 0 && number < 1).toBe(true)
  })
})
