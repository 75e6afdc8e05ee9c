// Item bodies as clients send them.
import { claimsOf } from '../../support/ledger.ts'

export const itemBody = (attributes: object = {}, parts: object = {}) => ({
  json: { data: { type: 'item', attributes: { claims: claimsOf('a file'), ...attributes }, ...parts } },
})

/** The attributes alone, for updates. */
export const changeBody = (attributes: unknown, parts: object = {}) => ({
  json: { data: { type: 'item', attributes, ...parts } },
})

export { claimsOf }
