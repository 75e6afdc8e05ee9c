// What a password may be, and in which form it is hashed (NIST SP 800-63B section 5.1.1, Unicode Standard Annex 15).
import { refuse } from '../../kernel/refusal.ts'
import { isCommon } from './common_password.ts'

/** In code points. Any character may occur. */
export const PASSWORD_LENGTH = { least: 12, most: 256 } as const

/**
 * The same password in one spelling. Keyboards and systems differ in how they compose characters, so compatible
 * spellings (NFKC) are one password. Spaces at the ends count.
 */
export const spelled = (password: string): string => password.toWellFormed().normalize('NFKC')

/**
 * A password that was chosen, in its spelling. `field` names the input.
 * @throws invalid_argument when it is too short, too long or easy to guess
 */
export function readNewPassword(given: string, field: string, email: string): string {
  const no = (detail: string) =>
    refuse('invalid_argument', {
      path: [field],
      detail,
      meta: { minimum: PASSWORD_LENGTH.least, maximum: PASSWORD_LENGTH.most },
    })
  // Before anything is normalised, because that may make a text several times longer.
  if (given.length > 2 * PASSWORD_LENGTH.most) throw no(`has at most ${PASSWORD_LENGTH.most} characters`)
  const password = spelled(given)
  const length = [...password].length
  if (length < PASSWORD_LENGTH.least) throw no(`has at least ${PASSWORD_LENGTH.least} characters`)
  if (length > PASSWORD_LENGTH.most) throw no(`has at most ${PASSWORD_LENGTH.most} characters`)
  if (isCommon(password, email)) throw no('is one that others would guess')
  return password
}
