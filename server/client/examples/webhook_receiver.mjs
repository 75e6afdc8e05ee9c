// Takes signed webhooks (an endpoint with `signing` `v1`) and prints each event once. Node 20 and nothing else:
//
//   PHAROS_SIGNING_SECRET=whsec_… node webhook_receiver.mjs
//
// It listens on plain HTTP at 127.0.0.1 and PORT (8080), behind whatever ends TLS for you. On a laptop that nobody can
// reach, `npx --no pharos listen --forward-to http://127.0.0.1:8080/` brings the events.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { PHAROS_SIGNING_SECRET: secret = '', PORT: port = '8080' } = process.env
if (!secret.startsWith('whsec_')) throw new Error('Set PHAROS_SIGNING_SECRET to the whsec_… of the endpoint.')
const key = Buffer.from(secret.slice('whsec_'.length), 'base64')

const LARGEST_BODY = 1_048_576

/** A signature that is older could be one that somebody kept, to send it again. */
const OLDEST_SECONDS = 300

/** @param {import('node:http').IncomingHttpHeaders} headers @param {Buffer} body the bytes as they came */
function isSigned(headers, body) {
  const time = String(headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < OLDEST_SECONDS)) return false
  const signed = createHmac('sha256', key).update(`${headers['webhook-id']}.${time}.`).update(body).digest()
  // There are several while a key is being changed.
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => {
      const given = Buffer.from(one.slice('v1,'.length), 'base64')
      return one.startsWith('v1,') && given.length === signed.length && timingSafeEqual(given, signed)
    })
}

/** Messages that came already. A receiver that is started again wants them in a table, with the id as its key. */
const seen = new Set()

createServer(async (request, response) => {
  const parts = []
  let size = 0
  try {
    for await (const part of request) {
      size += part.length
      if (size > LARGEST_BODY) return response.writeHead(413).end()
      parts.push(part)
    }
  } catch {
    // Whoever sent it went away before its end.
    return
  }
  const body = Buffer.concat(parts)
  if (!isSigned(request.headers, body)) return response.writeHead(401).end()
  // Answered before anything is done with it: an answer that takes 15 seconds counts as none.
  response.writeHead(204).end()
  const id = request.headers['webhook-id']
  if (seen.has(id)) return
  seen.add(id)
  const { type, data } = JSON.parse(body.toString())
  console.log(`${type} ${data.id}`)
}).listen(Number(port), '127.0.0.1', () => console.error(`Listening at http://127.0.0.1:${port}/`))
