// Hashes and verifies passwords with argon2id (RFC 9106), a few at a time, because each takes memory and a thread.
import { randomBytes } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { networkKey } from '../../kernel/address_key.ts'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { type FairGate, fairGate } from '../../kernel/flow/fair_gate.ts'
import { refuse } from '../../kernel/refusal.ts'
import { PASSWORD_LENGTH, spelled } from './password.ts'

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

export interface PasswordHashes {
  /**
   * @param password as `readNewPassword` returns it
   * @throws overloaded
   */
  readonly hash: (password: string, turn: HashTurn) => Promise<string>
  /**
   * Takes the same time whether there is a hash or not. `outdated` when the hash has another strength than new ones.
   * @throws overloaded
   */
  readonly verify: (hash: string | undefined, given: string, turn: HashTurn) => Promise<Verified>
}

interface Verified {
  readonly matches: boolean
  readonly outdated: boolean
}

/**
 * Strangers take turns among themselves, by network, and then all together as one among those who are known. So however
 * many they are, they fill no place in which somebody waits who is known, and keep that person waiting for a turn or
 * two.
 */
export function createPasswordHashes(
  ceilings: Pick<Ceilings, 'password_hashes' | 'password_hashes_waiting'>,
): PasswordHashes {
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
    hash: (password: string, turn: HashTurn) => inTurn(turn, () => hash(password, STRENGTH)),
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
  const { memoryCost, timeCost, parallelism, outputLen } = parseOptions(known)
  return !(
    memoryCost === STRENGTH.memoryCost &&
    timeCost === STRENGTH.timeCost &&
    parallelism === STRENGTH.parallelism &&
    outputLen === STRENGTH.outputLen
  )
}

const base64 = (length: number): string => randomBytes(length).toString('base64').replace(/=+$/, '')

/** The hash of no password. Verified where there is none, so that the answer takes as long. */
const DECOY = `$argon2id$v=19$m=${STRENGTH.memoryCost},t=${STRENGTH.timeCost},p=${STRENGTH.parallelism}$${base64(16)}$${base64(STRENGTH.outputLen)}`
