// The addresses of the built-in receiver: made for one account, few, and gone after a while.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { randomSecret } from '../../../kernel/identifiers.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { RECEIVER_ORIGIN } from '../../../outgoing/guard.ts'
import { EXPIRED, prunes } from '../../../store/bounded_change.ts'
import { float8, instant, int4, nullable, oneOf, text } from '../../../store/columns.ts'
import {
  change,
  command,
  inTransaction,
  type RowFrom,
  row,
  rows,
  statement,
} from '../../../store/statement.ts'

/** `ok` is 200, `error` is 500, `slow` is 200 after some seconds, `never` is no answer at all. */
export const ANSWERS = ['ok', 'error', 'slow', 'never'] as const
export type ReceiverAnswer = (typeof ANSWERS)[number]

export const ADDRESS_LIMITS = { account: 5, all: 200, days: 30 } as const

/** A random secret, so that nobody finds an address by trying. */
export const TOKEN = /^[A-Za-z0-9_-]{43}$/

export type ReceiverAddress = RowFrom<typeof LIST>

export const receiverUrl = (token: string): string => `${RECEIVER_ORIGIN}/${token}`

export const listAddresses = (em: EntityManager, userId: string): Promise<readonly ReceiverAddress[]> =>
  rows(em, LIST({ userId, token: null }))

/** An address, and the account that must be its owner. */
interface Which {
  readonly userId: string
  readonly token: string
}

/** @throws not_found, also for an address of somebody else */
export async function readAddress(em: EntityManager, which: Which): Promise<ReceiverAddress> {
  const [found] = await rows(em, LIST(which))
  if (found === undefined) throw refuse('not_found')
  return found
}

/** @throws conflict when there are as many as there may be */
export const makeAddress = (em: EntityManager, userId: string): Promise<ReceiverAddress> =>
  inTransaction(em, async (tx) => {
    await change(tx, ALONE)
    const { own, whole } = await row(tx, COUNT({ userId }))
    if (own >= ADDRESS_LIMITS.account)
      throw refuse('conflict', {
        detail: `an account has at most ${ADDRESS_LIMITS.account} addresses of the receiver: delete one first`,
        meta: { maximum: ADDRESS_LIMITS.account },
      })
    if (whole >= ADDRESS_LIMITS.all)
      throw refuse('conflict', {
        detail: `the receiver has at most ${ADDRESS_LIMITS.all} addresses in all: delete those that nobody needs`,
        meta: { maximum: ADDRESS_LIMITS.all },
      })
    const token = randomSecret()
    await change(tx, MAKE({ token, userId }))
    return readAddress(tx, { userId, token })
  })

/** @throws not_found */
export async function setAnswers(
  em: EntityManager,
  wanted: Which & { readonly answers: ReceiverAnswer },
): Promise<void> {
  if ((await change(em, SET(wanted))) === 0) throw refuse('not_found')
}

/** What arrived there goes along. @throws not_found */
export async function deleteAddress(em: EntityManager, which: Which): Promise<void> {
  if ((await change(em, DELETE(which))) === 0) throw refuse('not_found')
}

/** An account has few. Index: receiver_addresses_user. */
const LIST = statement(
  {
    token: text,
    answers: oneOf(...ANSWERS),
    inserted_at: instant,
    expires_at: instant,
    requests: int4,
    newest_at: nullable(instant),
  },
  ({ userId, token }: { userId: string; token: string | null }) => sql`
  SELECT a.token, a.answers, a.inserted_at, a.expires_at, count(r.id)::int AS requests, max(r.at) AS newest_at
    FROM receiver_addresses a LEFT JOIN receiver_requests r ON r.token = a.token
   WHERE a.user_id = ${userId} AND (${token}::text IS NULL OR a.token = ${token}) AND a.expires_at > pharos_now()
   GROUP BY a.token ORDER BY a.inserted_at DESC, a.token`,
)

/** So that two who make one at a time do not pass the limits together. */
const ALONE = command(sql`SELECT pg_advisory_xact_lock(hashtextextended('receiver_addresses', 0))`)

const COUNT = statement(
  { own: float8, whole: float8 },
  ({ userId }: { userId: string }) => sql`
  SELECT count(*) FILTER (WHERE user_id = ${userId})::float8 AS own, count(*)::float8 AS whole
    FROM receiver_addresses WHERE expires_at > (SELECT pharos_now())`,
)

const MAKE = command(
  ({ token, userId }: Which) => sql`
  INSERT INTO receiver_addresses (token, user_id, expires_at)
  VALUES (${token}, ${userId}, pharos_now() + ${sql.lit(ADDRESS_LIMITS.days)} * interval '1 day')`,
)

const SET = command(
  ({ userId, token, answers }: Which & { readonly answers: ReceiverAnswer }) => sql`
  UPDATE receiver_addresses SET answers = ${answers}
   WHERE token = ${token} AND user_id = ${userId} AND expires_at > pharos_now()`,
)

const DELETE = command(
  ({ userId, token }: Which) => sql`
  DELETE FROM receiver_addresses WHERE token = ${token} AND user_id = ${userId}`,
)

/** Index: receiver_addresses_expires_at. */
export const pruneAddresses = prunes('receiver_addresses', EXPIRED)
