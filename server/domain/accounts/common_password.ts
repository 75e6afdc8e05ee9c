// Passwords that anybody would try first (NIST SP 800-63B section 5.1.1.2): few words with something added, and rows
// of keys.

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
