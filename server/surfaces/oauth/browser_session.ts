// Who is signed in in this browser, and who signed in before. The session is the one of the authorization server, whose
// cookies are all authenticated, and read by no script (RFC 6265bis).
import type Koa from 'koa'
import type Provider from 'oidc-provider'
import { DEVICE_TOKEN, type Proven } from '../../domain/accounts/sign_in.ts'
import { activeEmail } from '../../domain/accounts/user.ts'
import { describeSession, endSession } from '../../domain/oauth/session.ts'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { LIFETIMES, sessionSeconds } from './resources.ts'
import type { OauthHouse } from './serve_routes.ts'

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

export interface SignedIn {
  readonly userId: string
  readonly sessionId: string
}

export type BrowserSessions = ReturnType<typeof createBrowserSessions>

const USER_AGENT_LENGTH = 300

/** How many people share a browser and are all known in it. The one who signed in last comes first. */
const MOST_DEVICES = 4

export function createBrowserSessions(
  { em, clientAddress }: Pick<OauthHouse, 'em' | 'clientAddress'>,
  provider: () => Provider,
) {
  /** An empty one is signed too: it is what signing out leaves. */
  const cookieOf = (ctx: Koa.Context): string | undefined =>
    ctx.cookies.get(cookieNames(provider().issuer).session, cookieOptions.long) || undefined
  const known = async (ctx: Koa.Context) => {
    const { Session } = provider()
    const cookie = cookieOf(ctx)
    return cookie === undefined ? undefined : Session.find(cookie)
  }
  const setCookie = (ctx: Koa.Context, value: string | null, seconds: number): void => {
    const { issuer } = provider()
    asPublic(ctx, issuer)
    ctx.cookies.set(cookieNames(issuer).session, value, { ...cookieOptions.long, maxAge: seconds * 1_000 })
  }
  const devicesOf = (ctx: Koa.Context): readonly string[] =>
    (ctx.cookies.get(cookieNames(provider().issuer).devices, cookieOptions.devices) ?? '')
      .split('.', MOST_DEVICES)
      .filter((token) => DEVICE_TOKEN.test(token))
  const keepDevice = (ctx: Koa.Context, { device, replaces }: Proven): void => {
    const { issuer } = provider()
    asPublic(ctx, issuer)
    const others = devicesOf(ctx).filter((token) => token !== replaces)
    const tokens = [device, ...others].slice(0, MOST_DEVICES)
    ctx.cookies.set(cookieNames(issuer).devices, tokens.join('.'), {
      ...cookieOptions.devices,
      maxAge: LIFETIMES.devices * 1_000,
    })
  }
  const current = async (ctx: Koa.Context): Promise<SignedIn | undefined> => {
    const { accountId: userId, uid: sessionId } = (await known(ctx)) ?? {}
    if (userId === undefined || sessionId === undefined) return undefined
    const isActive = (await activeEmail(em('read'), userId)) !== undefined
    return isActive ? { userId, sessionId } : undefined
  }
  return Object.freeze({
    /** Undefined when nobody is signed in or the account is disabled. */
    current,
    /** The browser has a session cookie of ours. It may have ended: nothing is asked of the database. */
    wasHere: (ctx: Koa.Context) => cookieOf(ctx) !== undefined,
    /** The user id of `current`. */
    accountOf: async (ctx: Koa.Context) => (await current(ctx))?.userId,
    /** The tokens of those who signed in in this browser, see `sign_in.ts`. Signing out leaves them. */
    devicesOf,
    /** Call it after the password, or whatever stands for it, was checked. */
    signIn: async (ctx: Koa.Context, proven: Proven): Promise<SignedIn> => {
      const { userId } = proven
      const { Session } = provider()
      const before = await known(ctx)
      const isSame = before?.accountId === userId
      // Another person's session ends. The same person's goes on, with another cookie, and so do its tokens.
      if (before !== undefined && !isSame) await endSession(em('write'), before.uid)
      const session = before !== undefined && isSame ? before : new Session()
      if (session === before) session.resetIdentifier()
      else session.uid = newUuid7()
      session.loginAccount({ accountId: userId })
      const seconds = sessionSeconds(session)
      await session.save(seconds)
      await describeSession(em('write'), {
        id: session.uid,
        userAgent: ctx.get('User-Agent').slice(0, USER_AGENT_LENGTH),
        address: clientAddress(ctx.req),
      })
      setCookie(ctx, session.jti, seconds)
      keepDevice(ctx, proven)
      return { userId, sessionId: session.uid }
    },
    /** Ends the session with every token that is bound to it. Does nothing when there is none. */
    signOut: async (ctx: Koa.Context) => {
      const session = await known(ctx)
      if (session !== undefined) await endSession(em('write'), session.uid)
      setCookie(ctx, null, 0)
    },
  })
}
