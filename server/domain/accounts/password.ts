// What a password may be, which ones anybody would try first, and in which form it is hashed (NIST SP 800-63B section
// 5.1.1, Unicode Standard Annex 15).
import { refuse } from '../../kernel/refusal.ts'

/** The words that most leaked passwords of this length are made of, and what this service is called. */
const WORDS: ReadonlySet<string> = new Set([
  ...[
    'password',
    'passwort',
    'passphrase',
    'secret',
    'letmein',
    'welcome',
    'iloveyou',
    'sunshine',
    'princess',
  ],
  ...[
    'football',
    'baseball',
    'superman',
    'batman',
    'dragon',
    'monkey',
    'master',
    'trustno',
    'whatever',
    'starwars',
  ],
  ...[
    'changeme',
    'default',
    'temporary',
    'test',
    'testing',
    'admin',
    'administrator',
    'root',
    'login',
    'user',
    'guest',
  ],
  ...[
    'hello',
    'abc',
    'abcd',
    'abcdef',
    'qwerty',
    'qwertyuiop',
    'asdf',
    'asdfgh',
    'zxcvbn',
    'pharos',
    'beacon',
  ],
  ...['my', 'the', 'is', 'new', 'super', 'top', 'company', 'summer', 'winter', 'spring', 'autumn'],
])

/** Rows of keys and of the alphabet, forwards. */
const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn',
]

/** Letters for the digits and signs that stand for them. */
const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Parts this long and longer count, so that a word within a phrase is no mistake. */
const REPEATED = 6

/** @param address the e-mail address of the account, whose parts everybody knows */
export function isCommon(password: string, address: string): boolean {
  const lower = password.toLowerCase()
  if (lower === address.toLowerCase()) return true
  return isRow(lower) || isRepetition(lower) || isMadeOf(lower, new Set([...WORDS, ...partsOf(address)]))
}

const partsOf = (address: string): readonly string[] =>
  address
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part.length >= 3)

const isRow = (lower: string): boolean => {
  const backwards = [...lower].reverse().join('')
  return ROWS.some((row) => row.includes(lower) || row.includes(backwards))
}

const isRepetition = (lower: string): boolean => {
  for (let length = 1; length <= REPEATED; length += 1) {
    const part = lower.slice(0, length)
    if (part.repeat(Math.ceil(lower.length / length)).slice(0, lower.length) === lower) return true
  }
  return false
}

/** One to three of the words with digits and signs around them, also where digits stand for letters. */
const isMadeOf = (lower: string, words: ReadonlySet<string>): boolean => {
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const plain = [...bare].map((character) => LEET[character] ?? character).join('')
  return [bare, plain].some((text) => {
    const letters = text.split(/[^\p{L}]+/u).filter((part) => part !== '')
    return letters.length > 0 && letters.length <= MOST_PARTS && letters.every((part) => isSplit(part, words))
  })
}

/** More words than this are a phrase. */
const MOST_PARTS = 3

/** Whether the text is one or two of the words, one after the other. */
const isSplit = (text: string, words: ReadonlySet<string>): boolean =>
  words.has(text) ||
  Array.from(text).some((_, at) => words.has(text.slice(0, at)) && words.has(text.slice(at)))

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
