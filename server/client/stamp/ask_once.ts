// Requests that make something, so that the same one makes nothing twice; and the complaint about an answer of another kind.
import { createHash } from 'node:crypto'
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { askService, type Service, ServiceRefused } from '../ask/ask_service.ts'

/** A service that made something of these very bytes for this team within a day answers what it made. */
export async function postOnce(service: Service, path: string, body: object): Promise<JsonValue> {
  const text = JSON.stringify(body)
  for (let others = 0; ; others += 1)
    try {
      return await askService(service, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': keyOf(service, text, others) },
        body: text,
      })
    } catch (error) {
      // Where no team is named it is the usual one of the account, and that was another one when the key was used.
      const isUsed = error instanceof ServiceRefused && error.code === 'idempotency_conflict'
      if (!isUsed || others === MOST_TEAMS) throw error
    }
}

/** As many usual teams as an account may have had in a day. */
const MOST_TEAMS = 8

/** @param others how many other teams are known to have used the keys before it */
function keyOf({ tenant = '' }: Service, text: string, others: number): string {
  const hash = createHash('sha256').update(`${tenant}\n${others}\n`).update(text)
  return `stamp-${hash.digest('hex')}`
}

export const strange = ({ url }: Service, what: string): Complaint =>
  new Complaint(`${url.origin} answered something that is no receipt: ${what}.`)
