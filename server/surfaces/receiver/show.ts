// Addresses of the receiver and what arrived there, as the console reads them.
import { type ReceiverAddress, receiverUrl } from '../../domain/webhooks/receiver/receiver_address.ts'
import { REQUEST_LIMITS, type ReceiverRequest } from '../../domain/webhooks/receiver/receiver_request.ts'

export const showAddress = (address: ReceiverAddress): object => ({
  token: address.token,
  url: receiverUrl(address.token),
  answers: address.answers,
  inserted_at: address.inserted_at.toISOString(),
  expires_at: address.expires_at.toISOString(),
  requests: address.requests,
  newest_at: address.newest_at?.toISOString() ?? null,
})

export const showRequest = (request: ReceiverRequest): object => ({
  id: request.id,
  at: request.at.toISOString(),
  method: request.method,
  headers: request.headers,
  body: request.body,
  body_bytes: request.body_bytes,
  body_kept_bytes: Math.min(request.body_bytes, REQUEST_LIMITS.bodyBytes),
  delivery_id: request.delivery_id,
  endpoint_id: request.endpoint_id,
  secret: request.secret,
  answered: request.answered,
})
