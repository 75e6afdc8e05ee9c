// All operator commands, in the order in which the help lists them.
import { AUDIT_COMMANDS } from './audit.ts'
import { BACKUP_COMMANDS } from './backup.ts'
import type { Command, Commands } from './command.ts'
import { DEVCHAIN_COMMANDS } from './devchain.ts'
import { EXPORT_COMMANDS } from './export.ts'
import { FLAG_COMMANDS } from './flag.ts'
import { KEY_COMMANDS } from './key.ts'
import { LOG_COMMANDS } from './log.ts'
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
