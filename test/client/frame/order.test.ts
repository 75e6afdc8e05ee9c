// What the words of a person ask a program for: every command has help, and a mistake leads to the next thing to type.
import { describe, expect, it } from 'vitest'
import type { CommandText } from '../../../shared/cli/command.ts'
import { COMPLETION, HELP, HELP_OPTION, readOrder } from '../../../shared/cli/order.ts'
import type { Program } from '../../../shared/cli/program.ts'

const command = (usage: string, options: CommandText['options'] = {}): CommandText => ({
  usage,
  meaning: `does ${usage}`,
  options,
  exits: { 1: 'no' },
})

const PROGRAM: Program = {
  self: 'pharos',
  version: '1.2.3',
  commands: {
    seal: command('<file>…', { out: { short: 'o', takes: '<file>', meaning: 'where to' } }),
    'place ls': command(''),
    'place use': command('<name>'),
  },
  texts: { help: HELP, completion: COMPLETION },
  options: { quiet: { short: 'q', meaning: 'prints nothing' }, ...HELP_OPTION },
  footer: ['The last line.'],
  elsewhere: ([noun]) => (noun === 'reign' ? 'Operators do that.' : undefined),
}

const textOf = (...args: string[]): string => {
  const order = readOrder(PROGRAM, args)
  if (order.kind !== 'text') throw new Error(`${order.name} was ordered.`)
  return order.text
}

describe('a command', () => {
  it('is named by one word or two, and gets what stands behind them', () => {
    expect(readOrder(PROGRAM, ['seal', 'a', '-q', 'b', '--out', 'c'])).toMatchObject({
      ...{ kind: 'command', name: 'seal', words: ['a', 'b'] },
      values: { quiet: true, out: 'c' },
    })
    expect(readOrder(PROGRAM, ['place', 'use', 'home'])).toMatchObject({ name: 'place use', words: ['home'] })
  })

  it.each([
    [['seal', '--in', 'x'], `Unknown option '--in'`, 'pharos seal --help'],
    [['seel', 'a'], 'There is no command seel.', 'Did you mean pharos seal?'],
    [['plaice', 'ls'], 'There is no command plaice.', 'Did you mean pharos place ls?'],
    [['place'], 'place needs one more word.', 'pharos place ls, pharos place use'],
    [['place', 'lose'], 'There is no command place lose.', 'pharos place ls, pharos place use'],
    [['reign'], 'There is no command reign.', 'Operators do that.'],
    [['toString'], 'There is no command toString.', 'pharos help lists the commands.'],
    [['--quiet', 'seal'], '--quiet stands where the name of a command is expected.', 'pharos help'],
    [['help', 'soul'], 'There is no command soul.', 'pharos seal'],
    [['completion', 'tcsh'], 'bash, zsh, fish', 'pharos completion --help'],
  ])('that there is not is refused with what to type instead: %j', (args, message, advice) => {
    expect(() => readOrder(PROGRAM, args)).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringContaining(message),
        advice: expect.stringContaining(advice),
      }),
    )
  })
})

describe('help', () => {
  it('is asked for in any of the usual ways, and without words', () => {
    const overview = textOf()
    expect(overview).toMatch(
      /^Usage: pharos <command>[\s\S]*\n {2}place use <name>\n {6}does[\s\S]*The last line\.$/,
    )
    for (const args of [['--help'], ['-h'], ['help']]) expect(textOf(...args)).toBe(overview)
    const ofSeal = textOf('seal', '--help')
    expect(ofSeal).toMatch(
      /^Usage: pharos seal <file>…\n[\s\S]*-o, --out <file> {8}where to\n {2}-q, --quiet/,
    )
    expect(ofSeal).toMatch(/Exit code:\n {4}0 {2}done\n {4}1 {2}no\n {4}2 {2}.*\n {2}130 {2}interrupted$/)
    for (const args of [
      ['seal', '-h'],
      ['seal', 'a', '--help'],
      ['help', 'seal'],
    ])
      expect(textOf(...args)).toBe(ofSeal)
    for (const args of [
      ['place', '--help'],
      ['help', 'place'],
    ])
      expect(textOf(...args)).toMatch(/^Usage: pharos place <command>[\s\S]*place ls[\s\S]*place use <name>/)
    expect(textOf('--version')).toBe('1.2.3')
  })

  it('as JSON has every command with its options and exit codes', () => {
    const all = JSON.parse(textOf('help', '--json'))
    expect(all.commands.map(({ name }: { name: string }) => name)).toEqual([
      ...['seal', 'place ls', 'place use', 'help', 'completion'],
    ])
    expect(JSON.parse(textOf('help', 'seal', '--json')).commands).toEqual([
      {
        ...{ name: 'seal', usage: '<file>…', meaning: 'does <file>…' },
        options: [{ name: 'out', short: 'o', takes: '<file>', repeatable: false, meaning: 'where to' }],
        exit_codes: expect.objectContaining({ 1: 'no', 130: 'interrupted' }),
      },
    ])
  })
})
