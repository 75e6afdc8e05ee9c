// Which members `--json` has is told by a file for every command that takes it.
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { programOf } from '../../../server/client/commands.ts'
import { readOrder } from '../../../shared/cli/order.ts'
import { tableOf } from '../../../shared/cli/program.ts'
import { expectMembers } from './json_members.ts'

const PROGRAM = programOf('pharos')

it('help', () => {
  const order = readOrder(PROGRAM, ['help', '--json'])
  expectMembers('help', order.kind === 'text' ? JSON.parse(order.text) : undefined)
})

it('every command with --json has its members in test/golden/json_members, by a call of expectMembers', () => {
  const files = readdirSync(resolve(import.meta.dirname, '..', '..', 'golden', 'json_members'))
  const names = Object.entries(tableOf(PROGRAM))
    .filter(([, { options }]) => Object.hasOwn(options, 'json'))
    .map(([name]) => name.replaceAll(' ', '_'))
  const without = names.filter(
    (name) => !files.some((file) => file.startsWith(`${name}.`) || file.startsWith(`${name}_`)),
  )
  expect(without).toEqual([])
})
