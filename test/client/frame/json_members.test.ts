// Which members `--json` has is told by a file for every command that takes it.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { programOf } from '../../../server/client/commands.ts'
import { readOrder } from '../../../shared/cli/order.ts'
import { tableOf } from '../../../shared/cli/program.ts'
import { expectMembers } from './json_members.ts'

const CLIENT = resolve(import.meta.dirname, '..')
const GOLDEN = resolve(CLIENT, '..', 'golden', 'json_members')
const PROGRAM = programOf('pharos')

it('help', () => {
  const order = readOrder(PROGRAM, ['help', '--json'])
  expectMembers('help', order.kind === 'text' ? JSON.parse(order.text) : undefined)
})

it('every command with --json has its members in test/golden/json_members, by a call of expectMembers', () => {
  const files = readdirSync(GOLDEN)
  const names = Object.entries(tableOf(PROGRAM))
    .filter(([, { options }]) => Object.hasOwn(options, 'json'))
    .map(([name]) => name.replaceAll(' ', '_'))
  const without = names.filter(
    (name) => !files.some((file) => file.startsWith(`${name}.`) || file.startsWith(`${name}_`)),
  )
  expect(without).toEqual([])
})

it('every shape that a test asks for has its file, and every file a test that asks for it', () => {
  const tests = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  )
  const asked = tests.flatMap((name) =>
    [...readFileSync(join(CLIENT, name), 'utf8').matchAll(/expectMembers\(\s*'([^']+)'/g)].map(
      ([, shape = '']) => `${shape.replaceAll(' ', '_')}.txt`,
    ),
  )
  expect(readdirSync(GOLDEN).sort()).toEqual([...new Set(asked)].sort())
})
