// Scripts that make shells complete the words of `pharos`, printed from the table of commands.
import { type Program, tableOf } from '../program.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { rowOf } from './rows.ts'
import { zshScript } from './zsh.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

export type Shell = keyof typeof SCRIPTS

export const SHELLS = Object.keys(SCRIPTS)

export const isShell = (name: string): name is Shell => Object.hasOwn(SCRIPTS, name)

export function completionScript(program: Program, shell: Shell): string {
  const rows = Object.entries(tableOf(program)).map(([name, command]) =>
    rowOf(name, command, program.options),
  )
  return SCRIPTS[shell](rows).trim()
}
