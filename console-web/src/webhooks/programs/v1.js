// npm install standardwebhooks
import { Webhook } from "standardwebhooks"

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

// The event. Throws unless it was signed with the secret within the last five minutes.
// headers: by lower-case name. body: as it came, before anything parses it.
export const signedEvent = (headers, body) => webhook.verify(body, headers)
