// The tools in TypeScript, as writers of scripts read them: a committed file that the compiler takes.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { catalog } from '../../../../server/catalog/catalog.ts'
import { catalogTools } from '../../../../server/surfaces/agent/catalog_tools.ts'
import { comment, declarations, typeOf } from '../../../../server/surfaces/agent/scripts/declarations.ts'
import { expectGolden } from '../../http/golden.ts'

const text = declarations(catalogTools(catalog))

it('are as the golden file says', () => {
  expectGolden('script_declarations.txt', text)
})

it('are taken by the compiler, which finds misuse of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pharos-declarations-'))
  const check = (program: string) =>
    compile(folder, `/// <reference path="./tools.d.ts" />\nexport {}\n${program}`)
  try {
    await writeFile(join(folder, 'tools.d.ts'), text)
    const told = await check(`
      const { data, next } = await tools.list_items({ limit: 5, filter: { state: 'created' } })
      const texts: (string | null)[] = [next, ...data.map(({ id }) => id), data[0].block_id]
      const { hash } = await tools.get_latest_beacon()
      console.log(hash.length, texts, (await tools.current_user({})).plan)
      await sleep(5)
      const one: number = hash
      await tools.get_item()
      await tools.get_item({ id: 5 })
      await tools.list_items({ limits: 5 })
      await tools.run_script({})
      await fetch('x')`)
    expect(told.map((line) => Number(/\((\d+),/.exec(line)?.[1]))).toEqual([9, 10, 11, 12, 13, 14])
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** The complaints of the compiler, one a line. */
async function compile(folder: string, program: string): Promise<readonly string[]> {
  await writeFile(join(folder, 'script.ts'), program)
  const flags = '--noEmit --strict --target es2024 --lib es2024 --module esnext --types'.split(' ')
  const tsc = join(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [tsc, ...flags, '', '--ignoreConfig', 'script.ts'],
    {
      cwd: folder,
    },
  ).catch((error: { stdout: string }) => error)
  return stdout.split('\n').filter((line) => line.includes('error TS'))
}

describe('a schema', () => {
  it.each<[unknown, string]>([
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 'b"c'] }, '"a" | "b\\"c"'],
    [{ const: false }, 'false'],
    [{ anyOf: [{ type: 'string' }, { type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'Array<"a" | "b">'],
    [{ type: 'array' }, 'unknown[]'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [
      { type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] },
      '{\n  a: string\n  "b-c"?: unknown\n}',
    ],
    [{ $ref: '#/nowhere' }, 'unknown'],
    [true, 'unknown'],
  ])('%j', (schema, type) => {
    expect(typeOf(schema)).toBe(type)
  })

  it('cannot end the comment that describes it', () => {
    expect(comment('a */ b\n/* c', 0)).toBe('/** a *⁄ b /* c */\n')
  })
})
