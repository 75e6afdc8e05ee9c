// The operator commands as a program: what a person's words ask it for.
import manifest from '../../package.json' with { type: 'json' }
import { HELP, HELP_OPTION, type Order, readOrder } from '../../shared/cli/order.ts'
import type { Program } from '../../shared/cli/program.ts'
import { Complaint } from '../../shared/cli/terminal.ts'
import type { Command } from './command.ts'
import { COMMANDS } from './commands.ts'
import { DOCTOR } from './doctor.ts'

export const PROGRAM: Program<Command | typeof DOCTOR> = {
  self: 'npm run pharos --',
  version: manifest.version,
  commands: { ...COMMANDS, doctor: DOCTOR },
  texts: { help: HELP },
  options: HELP_OPTION,
  footer: ['What npx --no pharos help lists can be called here as well.'],
}

/**
 * A word that nothing reads is a mistake, and must not look like an order that was carried out.
 * @throws Complaint
 */
export function operatorOrder(args: readonly string[]): Order<Command | typeof DOCTOR> {
  const order = readOrder(PROGRAM, args)
  if (order.kind === 'text') return order
  const { name, command, words } = order
  const unread = words[command.words ?? 0]
  if (unread === undefined) return order
  throw new Complaint(`${unread} is not expected here.`, {
    advice: `${PROGRAM.self} ${name} --help shows what is.`,
  })
}
