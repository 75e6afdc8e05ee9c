// What a password may be, and in which form it is hashed (NIST SP 800-63B section 5.1.1, Unicode Standard Annex 15).
import { refuse } from '../../kernel/refusal.ts'

/** In code points. Any character may occur, and nothing else is demanded. */
export const PASSWORD_LENGTH = { least: 12, most: 256 } as const

/**
 * The same password in one spelling. Keyboards and systems differ in how they compose characters, so compatible
 * spellings (NFKC) are one password. Spaces at the ends count.
 */
export const spelled = (password: string): string => password.toWellFormed().normalize('NFKC')

/**
 * A password that was chosen, in its spelling. `field` names the input.
 * @throws invalid_argument when it is too short or too long, or is the address of the account
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
  if (password.toLowerCase() === email.toLowerCase()) throw no('must not be the e-mail address')
  if (new Set(password).size < 5) throw no('repeats too few different characters')
  return password
}
