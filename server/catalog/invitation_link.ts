// The link of an invitation. What follows `#` is never sent to a server, so that no log of requests holds the token.

/** e.g. `https://pharos.example/invitations#token=…` */
export const invitationLink = (base: string, token: string): string => `${base}/invitations#token=${token}`
