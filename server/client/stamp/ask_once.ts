// Requests that make something, so that the same one makes nothing twice; and the complaint about an answer of another kind.
import { createHash } from 'node:crypto'
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { askBytes, readAnswer, type Service } from '../service/ask_service.ts'

/** A service that made something of these very bytes within a day answers what it made. */
export async function postOnce(service: Service, path: string, body: object): Promise<JsonValue> {
  const text = JSON.stringify(body)
  const key = createHash('sha256').update(text).digest('hex')
  const answer = await askBytes(service, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `stamp-${key}` },
    body: text,
  })
  return readAnswer(answer, service.url)
}

export const strange = ({ url }: Service, what: string): Complaint =>
  new Complaint(`${url.origin} answered something that is no receipt: ${what}.`)
