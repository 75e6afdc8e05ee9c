// The time-stamp authority (RFC 3161): from a request to its reply, which leaves when the round of its token is durable.
import { hash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { tokenSerial } from '../../../shared/time_stamps/token_marks.ts'
import { oid } from '../../../shared/time_stamps/write_der.ts'
import { within } from '../../kernel/flow/at_once.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import type { Log } from '../../kernel/log.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { isDatabaseHeldUp } from '../../store/database_errors.ts'
import { db } from '../../store/statement.ts'
import type { Rounds, TokenPlace } from '../rounds/open_rounds.ts'
import { currentCertificate } from './certificates.ts'
import type { KeyType } from './key_type.ts'
import type { StampingCertificate } from './stamping_certificate.ts'
import type { StampingClock } from './stamping_clock.ts'
import {
  type Failure,
  grantedReply,
  readTimeStampRequest,
  rejectedReply,
  TimeStampRefused,
} from './time_stamp_request.ts'
import { makeToken } from './token.ts'

interface AuthorityParts {
  readonly em: () => EntityManager
  readonly masterKey: MasterKey
  readonly rounds: Pick<Rounds, 'placeToken'>
  readonly clock: Pick<StampingClock, 'timeIn'>
  /** An object identifier as people write it. */
  readonly policy: string
  readonly keyType: KeyType
  /** What the operator brought. It signs instead of what the service makes. */
  readonly brought: StampingCertificate | undefined
  readonly onAnswered: (outcome: Failure | 'granted') => void
  readonly log: Log
}

/** How long the leaf that was read signs before it is looked up again. */
const LEAF_FRESH_MS = 20_000

/** Milliseconds for the look. It is for a first leaf, whose key may take longer, that the next request finds it. */
const LEAF_PATIENCE_MS = 2_000

export type Authority = ReturnType<typeof openAuthority>

export function openAuthority(parts: AuthorityParts) {
  const { em, masterKey, rounds, clock, keyType, brought, onAnswered, log } = parts
  const policy = oid(parts.policy)
  const looking = underWay<'leaf', StampingCertificate>()
  let known: { readonly leaf: StampingCertificate; readonly readAt: number } | undefined

  const look = async (): Promise<StampingCertificate> => {
    const readAt = performance.now()
    const leaf = await currentCertificate({ em: em(), masterKey }, keyType)
    known = { leaf, readAt }
    return leaf
  }
  const certificate = async (): Promise<StampingCertificate> => {
    if (brought !== undefined) return brought
    if (known !== undefined && performance.now() - known.readAt < LEAF_FRESH_MS) return known.leaf
    return within(LEAF_PATIENCE_MS, looking.join('leaf', look), () => refuse('database_unavailable'))
  }

  const stamp = async (body: Uint8Array, key: string): Promise<Uint8Array> => {
    const request = readTimeStampRequest(body, policy)
    const by = await certificate()
    let token: Uint8Array | undefined
    const make = ({ start, index }: TokenPlace): Uint8Array => {
      const timeMs = clock.timeIn(start)
      if (timeMs < by.fromMs || timeMs > by.toMs)
        throw new TimeStampRefused('system_failure', 'The certificate of this authority does not hold now.')
      token = makeToken(by, { request, policy, serial: tokenSerial(start.number, index), timeMs })
      return hash('sha256', token, 'buffer')
    }
    await rounds.placeToken(make, key)
    if (token === undefined) throw new Error('A token has a place and was not made.')
    return token
  }

  return Object.freeze({
    /** The chain that signs now. @throws master_key_changed, database_unavailable */
    certificate,
    /**
     * @param body a TimeStampReq, DER
     * @param key whose places among those who wait the request takes
     * @returns a TimeStampResp, DER, also for what is refused
     */
    answer: async (body: Uint8Array, key: string): Promise<Uint8Array> => {
      try {
        const reply = grantedReply(await stamp(body, key))
        onAnswered('granted')
        return reply
      } catch (error) {
        const refused = refusedBy(error, log)
        onAnswered(refused.failure)
        return rejectedReply(refused)
      }
    },
  })
}

/** Clients of this protocol read no status of HTTP, so whatever keeps a token from being made is told in the reply. */
function refusedBy(error: unknown, log: Log): TimeStampRefused {
  if (error instanceof TimeStampRefused) return error
  if (error instanceof Refusal) return nothingStamped(error)
  const heldUp = isDatabaseHeldUp(error)
  log[heldUp ? 'warn' : 'error']({ err: error }, 'time_stamp.failed')
  return nothingStamped(refuse(heldUp ? 'database_unavailable' : 'internal'))
}

const nothingStamped = ({ code, problems }: Refusal): TimeStampRefused =>
  new TimeStampRefused('system_failure', `Nothing was stamped (${code}): ${problems[0]?.detail ?? code}.`)

/**
 * The policy that tokens name where the operator has none. Under 2.25 every UUID is an object identifier (ITU-T X.667),
 * and the first block has one that no other installation has.
 */
export async function usualPolicy(em: EntityManager): Promise<string> {
  const { id } = await db(em)
    .selectFrom('blocks')
    .select('id')
    .where('height', '=', 0)
    .executeTakeFirstOrThrow()
  return `2.25.${BigInt(`0x${id.replaceAll('-', '')}`)}`
}
