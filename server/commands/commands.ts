// All operator commands, in the order in which the help lists them.
import manifest from '../../package.json' with { type: 'json' }
import { HELP, HELP_OPTION, type Order, readOrder } from '../../shared/cli/order.ts'
import type { Program } from '../../shared/cli/program.ts'
import { Complaint } from '../../shared/cli/terminal.ts'
import { AUDIT_COMMANDS } from './audit.ts'
import { BACKUP_COMMANDS } from './backup.ts'
import type { Command, Commands } from './command.ts'
import { DEVCHAIN_COMMANDS } from './devchain.ts'
import { DOCTOR } from './doctor.ts'
import { FLAG_COMMANDS } from './flag.ts'
import { KEY_COMMANDS } from './key.ts'
import { EXPORT_COMMANDS, LOG_COMMANDS } from './log.ts'
import { OAUTH_COMMANDS } from './oauth.ts'
import { TSA_COMMANDS } from './tsa.ts'
import { USER_COMMANDS } from './user.ts'

export const LEDGER_COMMANDS: Commands = {
  ...USER_COMMANDS,
  ...KEY_COMMANDS,
  ...LOG_COMMANDS,
  ...TSA_COMMANDS,
  ...OAUTH_COMMANDS,
  ...FLAG_COMMANDS,
  ...AUDIT_COMMANDS,
  ...EXPORT_COMMANDS,
}

export const COMMANDS: Commands<Command> = {
  ...LEDGER_COMMANDS,
  ...BACKUP_COMMANDS,
  ...DEVCHAIN_COMMANDS,
}

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
