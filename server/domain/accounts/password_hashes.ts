// Hashes and verifies passwords with argon2id (RFC 9106), a few at a time, because each takes memory and a thread.
import { randomBytes } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { fairGate } from '../../kernel/fair_gate.ts'
import { refuse } from '../../kernel/refusal.ts'
import { PASSWORD_LENGTH, spelled } from './password.ts'

/**
 * The strength of new hashes: 46 MiB, two passes, about 30 ms of one core. After a change here, a hash is renewed when
 * its person signs in. argon2id is the library's default.
 */
const STRENGTH = { memoryCost: 47_104, timeCost: 2, parallelism: 1, outputLen: 32 } as const

/** The longest wait for a turn, in milliseconds, and the part of the waiting room for one client address. */
const PATIENCE_MS = 5_000
const WAITING_PER_ADDRESS = 8

export interface PasswordHashes {
  /**
   * @param password as `readNewPassword` returns it
   * @param address whose turn it takes: the client's address
   * @throws overloaded
   */
  readonly hash: (password: string, address: string) => Promise<string>
  /**
   * Takes the same time whether there is a hash or not. `outdated` when the hash has another strength than new ones.
   * @throws overloaded
   */
  readonly verify: (hash: string | undefined, given: string, address: string) => Promise<Verified>
}

export interface Verified {
  readonly matches: boolean
  readonly outdated: boolean
}

export function createPasswordHashes(
  ceilings: Pick<Ceilings, 'password_hashes' | 'password_hashes_waiting'>,
): PasswordHashes {
  const full = () => refuse('overloaded')
  const gate = fairGate({
    total: ceilings.password_hashes,
    perKey: ceilings.password_hashes,
    waitingPerKey: WAITING_PER_ADDRESS,
    waiting: ceilings.password_hashes_waiting,
    full,
    late: full,
  })
  const inTurn = async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    const leave = await gate.enter(address, PATIENCE_MS)
    try {
      return await work()
    } finally {
      leave()
    }
  }
  return Object.freeze({
    hash: (password: string, address: string) => inTurn(address, () => hash(password, STRENGTH)),
    verify: (known: string | undefined, given: string, address: string) =>
      inTurn(address, async () => {
        const fits = given.length <= 2 * PASSWORD_LENGTH.most
        const matches = await verify(known ?? DECOY, fits ? spelled(given) : '')
        return {
          matches: matches && fits && known !== undefined,
          outdated: known !== undefined && isOutdated(known),
        }
      }),
  })
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
