// What a password may be, which ones others would guess, and in which form it is hashed (NIST SP 800-63B section 5.1.1,
// Unicode Standard Annex 15). It is hashed with argon2id (RFC 9106), a few at a time, because each takes memory and a
// thread.
import { randomBytes } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { networkKey } from '../../kernel/addresses.ts'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { type FairGate, fairGate } from '../../kernel/flow/fair_gate.ts'
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

/**
 * The strength of new hashes: 46 MiB, two passes, about 30 ms of one core. After a change here, a hash is renewed when
 * its person signs in. argon2id is the library's default.
 */
const STRENGTH = { memoryCost: 47_104, timeCost: 2, parallelism: 1, outputLen: 32 } as const

/** The longest wait for a turn, in milliseconds. */
const PATIENCE_MS = 5_000

/** How many wait of one known person, and of one network. */
const WAITING_PER_KEY = 4

/** Whose turn it is: that of somebody who is known, e.g. by an account's id, or of whoever has this client address. */
export type HashTurn = { readonly known: string } | { readonly address: string }

export type PasswordHashes = ReturnType<typeof createPasswordHashes>

/**
 * Strangers take turns among themselves, by network, and then all together as one among those who are known. So however
 * many they are, they fill no place in which somebody waits who is known, and keep that person waiting for a turn or
 * two.
 */
export function createPasswordHashes(
  ceilings: Pick<Ceilings, 'password_hashes' | 'password_hashes_waiting'>,
) {
  const full = () => refuse('overloaded')
  const { password_hashes: total, password_hashes_waiting: waiting } = ceilings
  const gate = (waitingPerKey: number) =>
    fairGate({ total, perKey: total, waitingPerKey, waiting, full, late: full })
  const strangers = gate(WAITING_PER_KEY)
  // As many of the strangers come so far as there are turns.
  const known = gate(Math.max(WAITING_PER_KEY, total))
  const inTurn = <T>(turn: HashTurn, work: () => Promise<T>): Promise<T> =>
    'known' in turn
      ? through(known, turn.known, work)
      : through(strangers, networkKey(turn.address), () => through(known, STRANGERS, work))
  return Object.freeze({
    /**
     * @param password as `readNewPassword` returns it
     * @throws overloaded
     */
    hash: (password: string, turn: HashTurn) => inTurn(turn, () => hash(password, STRENGTH)),
    /**
     * Takes the same time whether there is a hash or not. `outdated` when the hash has another strength than new ones.
     * @throws overloaded
     */
    verify: (kept: string | undefined, given: string, turn: HashTurn) =>
      inTurn(turn, async () => {
        const fits = given.length <= 2 * PASSWORD_LENGTH.most
        const matches = await verify(kept ?? DECOY, fits ? spelled(given) : '')
        return {
          matches: matches && fits && kept !== undefined,
          outdated: kept !== undefined && isOutdated(kept),
        }
      }),
  })
}

/** Nobody is known by this. */
const STRANGERS = 'strangers'

async function through<T>(gate: FairGate, key: string, work: () => Promise<T>): Promise<T> {
  const leave = await gate.enter(key, PATIENCE_MS)
  try {
    return await work()
  } finally {
    leave()
  }
}

const isOutdated = (known: string): boolean => {
  const options = new Map<string, unknown>(Object.entries(parseOptions(known)))
  return Object.entries(STRENGTH).some(([name, value]) => options.get(name) !== value)
}

const base64 = (length: number): string => randomBytes(length).toString('base64').replace(/=+$/, '')

/** The hash of no password. Verified where there is none, so that the answer takes as long. */
const DECOY = `$argon2id$v=19$m=${STRENGTH.memoryCost},t=${STRENGTH.timeCost},p=${STRENGTH.parallelism}$${base64(16)}$${base64(STRENGTH.outputLen)}`
