// What `--help` of every command says, as files, so that every change of an option, a word or an exit code shows in the
// diff. UPDATE_GOLDEN=1 renews them.
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLIENT_COMMANDS, programOf } from '../../../server/client/commands.ts'
import { PROGRAM } from '../../../server/commands/commands.ts'
import { readOrder } from '../../../shared/cli/order.ts'
import { type Program, tableOf } from '../../../shared/cli/program.ts'
import { expectGolden } from '../../surfaces/http/golden.ts'

const GOLDEN = resolve(import.meta.dirname, '..', '..', 'golden')

const EVERYBODY = programOf('pharos')

const PROGRAMS: readonly (readonly [folder: string, Program])[] = [
  ['help', EVERYBODY],
  ['help_operators', PROGRAM],
]

const fileOf = (name: string): string => `${name.replace(' ', '_')}.txt`

const helpOf = (program: Program, name: string): string => {
  const order = readOrder(program, [...name.split(' ').filter((word) => word !== ''), '--help'])
  return order.kind === 'text' ? `${order.text}\n` : 'It is carried out.'
}

describe.each(PROGRAMS)('%s', (folder, program) => {
  const names = Object.keys(tableOf(program))

  it.each(names)('%s', (name) => expectGolden(join(folder, fileOf(name)), helpOf(program, name)))

  it('lists every command, and there is no file of one that is gone', () => {
    expectGolden(join(folder, 'overview.txt'), helpOf(program, ''))
    expect(readdirSync(join(GOLDEN, folder)).sort()).toEqual([...names.map(fileOf), 'overview.txt'].sort())
  })
})

it.each(Object.entries(CLIENT_COMMANDS))('%s says what each of its options means', (_, { options }) => {
  const silent = Object.entries(options).filter(([, { meaning }]) => meaning === undefined)
  expect(silent.map(([name]) => name)).toEqual([])
})
