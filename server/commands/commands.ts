// All operator commands, in the order in which the help lists them.
import { AUDIT_COMMANDS } from './audit.ts'
import { CLIENT_COMMANDS } from './client.ts'
import type { Commands } from './command.ts'
import { FLAG_COMMANDS } from './flag.ts'
import { GRANT_COMMANDS } from './grant.ts'
import { KEY_COMMANDS } from './key.ts'
import { USER_COMMANDS } from './user.ts'

export const COMMANDS: Commands = {
  ...USER_COMMANDS,
  ...KEY_COMMANDS,
  ...CLIENT_COMMANDS,
  ...GRANT_COMMANDS,
  ...FLAG_COMMANDS,
  ...AUDIT_COMMANDS,
}
