// Builds invitation links. Browsers never send the part after `#` to a server, so no request log contains the token.

/** e.g. `https://pharos.example/invitations#token=…` */
export const invitationLink = (base: string, token: string): string => `${base}/invitations#token=${token}`
