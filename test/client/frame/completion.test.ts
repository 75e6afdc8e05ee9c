// What `completion` prints makes real shells offer the commands, sub-commands, options and values of the table.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programOf } from '../../../server/client/commands.ts'
import { COMPLETION, HELP, HELP_OPTION, readOrder } from '../../../shared/cli/order.ts'
import { type Program, tableOf } from '../../../shared/cli/program.ts'

const run = promisify(execFile)

const PROGRAM: Program = {
  self: 'pharos',
  version: '1',
  commands: {
    seal: {
      usage: '<file>…',
      meaning: "seals the owner's [files]: all of them",
      options: {
        format: { takes: 'json|cbor', meaning: 'how' },
        out: { short: 'o', takes: '<file>', meaning: 'where to' },
        into: { takes: '<folder>', meaning: 'whither' },
        name: { takes: '<name>', multiple: true, meaning: 'called' },
      },
    },
    'place ls': { usage: '', meaning: 'lists', options: { json: { meaning: 'as JSON' } } },
    'place use': { usage: '<name>', meaning: 'uses', options: {} },
    follow: { usage: '[beacons|blocks] [-n <count>]', meaning: 'follows', options: {} },
  },
  texts: { completion: COMPLETION, help: HELP },
  options: HELP_OPTION,
  footer: [],
}

/** What everybody has. */
const PHAROS = programOf('pharos')

const scriptFor = (program: Program, shell: string): string => {
  const order = readOrder(program, ['completion', shell])
  return order.kind === 'text' ? order.text : ''
}

/** The words of a line, the last of them under way, and what is offered for it in whatever order. */
const OFFERS: readonly (readonly [line: string, offers: readonly string[]])[] = [
  ['', ['seal', 'place', 'follow', 'completion', 'help']],
  ['s', ['seal']],
  ['place ', ['ls', 'use']],
  ['place u', ['use']],
  ['place ls --', ['--json', '--help']],
  ['seal --fo', ['--format']],
  ['seal --format ', ['json', 'cbor']],
  ['seal one.txt --format c', ['cbor']],
  ['seal --out pap', ['paper one.txt', 'papers']],
  ['seal --into pap', ['papers']],
  ['seal --name ', []],
  ['seal pap', ['paper one.txt', 'papers']],
  ['follow ', ['beacons', 'blocks']],
  ['follow bl', ['blocks']],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['nothing --', []],
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-shell-'))
  await writeFile(join(folder, 'paper one.txt'), '')
  execFileSync('mkdir', ['papers'], { cwd: folder })
  for (const shell of ['bash', 'zsh', 'fish']) {
    await writeFile(join(folder, `${shell}.script`), scriptFor(PROGRAM, shell))
    await writeFile(join(folder, `pharos.${shell}`), scriptFor(PHAROS, shell))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const isThere = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'exit 0'])
    return true
  } catch {
    console.warn(`LEFT OUT: what completion makes ${shell} offer, because there is no ${shell}.`)
    return false
  }
}

const offered = async (shell: string, args: readonly string[]): Promise<string[]> => {
  const { stdout } = await run(shell, [...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
  })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .sort()
}

describe('bash', () => {
  it.each(OFFERS)('offers for pharos %s', async (line, offers) => {
    const program = `
      source bash.script
      COMP_WORDS=(pharos "$@") COMP_CWORD=$#
      _pharos
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const asked = ['--norc', '--noprofile', '-c', program, 'bash', ...line.split(' ')]
    expect(await offered('bash', asked)).toEqual([...offers].sort())
  })

  it('knows it by the name of the program', async () => {
    expect(await offered('bash', ['--norc', '-c', 'source bash.script; complete -p pharos'])).toEqual([
      'complete -F _pharos pharos',
    ])
  })
})

describe('the commands that there are', () => {
  it('are offered by bash, each with all of its options', async () => {
    const program = `
      source pharos.bash
      for name; do
        COMP_WORDS=(pharos $name --)
        COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
        _pharos
        echo "$name: \${COMPREPLY[*]}"
      done
      COMP_WORDS=(pharos '') COMP_CWORD=1
      _pharos
      echo "\${COMPREPLY[*]}"`
    const table = Object.entries(tableOf(PHAROS))
    const names = table.map(([name]) => name)
    const lines = table.map(([name, { options }]) => {
      const words = Object.keys({ ...options, ...PHAROS.options }).map((option) => `--${option}`)
      return `${name}: ${words.join(' ')}`
    })
    const first = [...new Set(names.map((name) => name.split(' ')[0]))].join(' ')
    const said = await offered('bash', ['--norc', '--noprofile', '-c', program, 'bash', ...names])
    expect(said).toEqual([...lines, first].sort())
  })

  it.skipIf(!isThere('zsh'))('are read by zsh', async () => {
    expect(await offered('zsh', ['-f', '-n', 'pharos.zsh'])).toEqual([])
  })

  it.skipIf(!isThere('fish'))('are read by fish', async () => {
    expect(await offered('fish', ['--no-config', '--no-execute', 'pharos.fish'])).toEqual([])
  })
})

/** In a terminal of its own, because zsh completes nowhere else. Each word that is offered is told. */
const ZSH_TERMINAL = `
  unsetopt prompt_sp prompt_cr
  autoload -Uz compinit
  compinit -u -D
  source zsh.script
  compadd() {
    local -a hits
    # Those that only filter words for others offer nothing.
    if [[ " \${@[1,(i)(-|--)]} " == *' -'[OAD]' '* ]]; then builtin compadd "$@"; return; fi
    builtin compadd -A hits "$@"
    (( $#hits )) && print -rl -- "OFFERED "\${^hits}
    builtin compadd "$@"
  }
  offer() { print; _main_complete; compstate[insert]= compstate[list]=; print DONE }
  zle -C offer complete-word offer
  bindkey '^I' offer
  print READY`

const ZSH = `
  zmodload zsh/zpty
  zpty terminal zsh -f -i
  zpty -w terminal 'stty -echo; source terminal.zsh'
  zpty -r -m terminal heard '*READY*'
  zpty -w -n terminal "pharos $1"$'\\t'
  zpty -r -m terminal heard '*DONE*'
  print -r -- "$heard"
  zpty -d terminal`

describe.skipIf(!isThere('zsh'))('zsh', () => {
  it.each(OFFERS)('offers for pharos %s', async (line, offers) => {
    await writeFile(join(folder, 'terminal.zsh'), ZSH_TERMINAL)
    const said = await offered('zsh', ['-f', '-c', ZSH, 'zsh', line])
    const words = said.flatMap((told) => /^OFFERED (.*?)\r?$/.exec(told)?.[1] ?? [])
    expect([...new Set(words.map((word) => word.replaceAll('\\', '')))]).toEqual([...offers].sort())
  })
})

describe.skipIf(!isThere('fish'))('fish', () => {
  it.each(OFFERS)('offers for pharos %s', async (line, offers) => {
    const program = 'source fish.script; complete -C $argv[1] | string replace -r "\\t.*" ""; true'
    const found = await offered('fish', ['--no-config', '-c', program, `pharos ${line}`])
    expect(found.map((word) => word.replace(/\/$/, ''))).toEqual([...offers].sort())
  })
})
