// The address of the service's own receiver, for trials. It is no name of the DNS (RFC 6761: `.test` has no servers).

const NAME = 'receiver.pharos.test'

/** Followed by a slash and the token. */
export const RECEIVER_ORIGIN = `https://${NAME}`

/** The exact name, which the URL parser has put into one spelling, at the port of https, without credentials. */
export const isOwnReceiver = ({ protocol, host, username, password }: URL): boolean =>
  protocol === 'https:' && host === NAME && username === '' && password === ''
