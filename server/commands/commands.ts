// All operator commands, in the order in which the help lists them.
import { AUDIT_COMMANDS } from './audit.ts'
import { BACKUP_COMMANDS } from './backup.ts'
import { CLIENT_COMMANDS } from './client.ts'
import type { Command, Commands } from './command.ts'
import { DEVCHAIN_COMMANDS } from './devchain.ts'
import { EXPORT_COMMANDS } from './export.ts'
import { FLAG_COMMANDS } from './flag.ts'
import { GRANT_COMMANDS } from './grant.ts'
import { KEY_COMMANDS } from './key.ts'
import { LOG_COMMANDS } from './log.ts'
import { RESTORE_COMMANDS } from './restore.ts'
import { USER_COMMANDS } from './user.ts'

export const LEDGER_COMMANDS: Commands = {
  ...USER_COMMANDS,
  ...KEY_COMMANDS,
  ...LOG_COMMANDS,
  ...CLIENT_COMMANDS,
  ...GRANT_COMMANDS,
  ...FLAG_COMMANDS,
  ...AUDIT_COMMANDS,
  ...EXPORT_COMMANDS,
}

export const COMMANDS: Commands<Command> = {
  ...LEDGER_COMMANDS,
  ...BACKUP_COMMANDS,
  ...RESTORE_COMMANDS,
  ...DEVCHAIN_COMMANDS,
}
