// Reads from a request how an address of the receiver answers from now on: `{"answers": "error"}`.
import type { IncomingMessage } from 'node:http'
import { ANSWERS, type ReceiverAnswer } from '../../domain/webhooks/receiver/receiver_address.ts'
import { refuse } from '../../kernel/refusal.ts'
import { checkDeclaredLength, readBody } from '../http/read_body.ts'
import { JSON_TYPE, readJson } from '../http/read_json.ts'

const MOST_BYTES = 1_024

/** @throws unsupported_media_type, request_too_large, invalid_json, invalid_attribute */
export async function readAnswers(request: IncomingMessage): Promise<ReceiverAnswer> {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw refuse('unsupported_media_type')
  checkDeclaredLength(request, MOST_BYTES)
  const given = readJson(await readBody(request, MOST_BYTES))
  const wanted = typeof given === 'object' && given !== null && !Array.isArray(given) ? given.answers : null
  const answers = ANSWERS.find((one) => one === wanted)
  if (answers === undefined)
    throw refuse('invalid_attribute', { path: ['answers'], detail: `must be one of ${ANSWERS.join(', ')}` })
  return answers
}
