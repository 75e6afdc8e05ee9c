// What a password may be, which ones others would guess, and in which form it is hashed (NIST SP 800-63B section 5.1.1,
// Unicode Standard Annex 15).
import { refuse } from '../../kernel/refusal.ts'

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
export async function readNewPassword(given: string, field: string, email: string): Promise<string> {
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
  if (await isGuessed(password, email)) throw no('is one that others would guess')
  return password
}

/**
 * True for the account's own address, a part of it, what only adds to it, and what many people chose before.
 * @param address the e-mail address of the account
 */
async function isGuessed(password: string, address: string): Promise<boolean> {
  const [lower, known] = [password.toLowerCase(), address.toLowerCase()]
  return lower.includes(known) || known.includes(lower) || (await commonPasswords()).has(lower)
}

let common: Promise<ReadonlySet<string>> | undefined

/** Read with the first password that is chosen, because unpacking the list takes a tenth of a second. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH.least)),
  )
  return common
}
