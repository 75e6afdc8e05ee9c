// The cookies of the authorization server. All of them are authenticated, and no script reads them (RFC 6265bis).
import type Koa from 'koa'

/** Browsers keep the prefix for https. On plain http, which is for loopback addresses, it is left out. */
export const cookieNames = (base: string) => {
  const secure = isSecure(base)
  return {
    session: secure ? '__Host-pharos_session' : 'pharos_session',
    devices: secure ? '__Host-pharos_devices' : 'pharos_devices',
    interaction: secure ? '__Secure-pharos_interaction' : 'pharos_interaction',
    resume: secure ? '__Secure-pharos_resume' : 'pharos_resume',
  }
}

/** Lax, because a person comes to these pages from the pages of clients. */
const COMMON = { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true } as const

export const cookieOptions = {
  long: { ...COMMON, path: '/' },
  short: COMMON,
  /** Each of the tokens in it has a MAC of its own. */
  devices: { ...COMMON, path: '/', signed: false },
} as const

const isSecure = (base: string): boolean => base.startsWith('https:')

/**
 * Our public origin decides what a request is, not the connection that it came by or its Host header: behind a proxy
 * both are others.
 */
export function asPublic(ctx: Koa.Context, base: string): void {
  const secure = isSecure(base)
  Object.defineProperties(ctx, {
    href: { configurable: true, get: () => new URL(ctx.originalUrl, base).href },
    secure: { configurable: true, value: secure },
  })
  ctx.cookies.secure = secure
}
