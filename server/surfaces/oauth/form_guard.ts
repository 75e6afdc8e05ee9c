// Forms of our own pages: reads what was posted, and makes sure that one of our pages posted it (CSRF defence).
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type Koa from 'koa'
import { refuse } from '../../kernel/refusal.ts'
import { readBody } from '../http/read_body.ts'

const URLENCODED = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** @throws unsupported_media_type, request_too_large, request_timeout, invalid_body */
export async function readFields(
  ctx: Koa.Context,
  most: { readonly bytes: number; readonly fields: number },
): Promise<URLSearchParams> {
  if (!URLENCODED.test(ctx.get('Content-Type')))
    throw refuse('unsupported_media_type', { detail: 'use application/x-www-form-urlencoded' })
  const fields = new URLSearchParams((await readBody(ctx.req, most.bytes)).toString('utf8'))
  if (fields.size > most.fields) throw refuse('invalid_body', { detail: 'has too many fields' })
  return fields
}

/** The ceilings of one form. */
const FORM = { bytes: 16_384, fields: 20 } as const

/** The field with the form token. */
export const FORM_TOKEN = 'form_token'

/** The fields by name. Each name occurs once. */
type Form = ReadonlyMap<string, string>

/** @throws unsupported_media_type, request_too_large, request_timeout, invalid_body */
async function readForm(ctx: Koa.Context): Promise<Form> {
  const fields = await readFields(ctx, FORM)
  const form = new Map(fields)
  if (form.size !== fields.size) throw refuse('invalid_body', { detail: 'has a field twice' })
  return form
}

/** What is in the fields that several pages have, empty where a page has them not. */
export const typedIn = (form: Form) => ({
  email: form.get('email') ?? '',
  password: form.get('password') ?? '',
  newPassword: form.get('new_password') ?? '',
  firstName: form.get('first_name') ?? '',
  lastName: form.get('last_name') ?? '',
})

/**
 * Every browser sends `Sec-Fetch-Site` to https and loopback addresses, and `Origin` with every form. Whatever is
 * there must name our own origin, and one of them must be there.
 * @throws forbidden
 */
export function requireOwnOrigin(ctx: Koa.Context, base: string): void {
  const site = ctx.headers['sec-fetch-site']
  const { origin } = ctx.headers
  const siteAgrees = site === undefined || site === 'same-origin'
  // Browsers hide the origin of a page whose policy is not to tell it.
  const originAgrees = origin === undefined || origin === base || (origin === 'null' && site !== undefined)
  if (siteAgrees && originAgrees && (site !== undefined || origin !== undefined)) return
  throw refuse('forbidden', { detail: `this form can only be sent from a page of ${base}` })
}

export type FormTokens = ReturnType<typeof createFormTokens>

/**
 * A token is made from a random cookie of the browser and the purpose of the form, e.g. the interaction, so nothing is
 * stored and any server can check it. The cookie is no credential.
 * @param key derived from the master key
 */
export function createFormTokens({ key, base }: { key: Buffer; base: () => string }) {
  const cookie = () => formCookie(base())
  const tokenOf = (seed: string, purpose: string): string =>
    createHmac('sha256', key).update(`${seed}\n${purpose}`).digest('base64url')
  return Object.freeze({
    /** The token for a form of the page that is being answered. Sets the cookie that it belongs to. */
    issue: (ctx: Koa.Context, purpose: string): string => {
      const { name, secure } = cookie()
      const known = seedOf(ctx, name)
      const seed = known ?? randomBytes(24).toString('base64url')
      // Lax, because pages are reached from other sites: a form of the same page must find the cookie again.
      if (known === undefined)
        ctx.append('Set-Cookie', `${name}=${seed}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`)
      return tokenOf(seed, purpose)
    },
    /**
     * Reads a form that one of our own pages posted for this purpose, in the browser that the page was shown in.
     * @throws forbidden, unsupported_media_type, request_too_large, request_timeout, invalid_body
     */
    posted: async (ctx: Koa.Context, purpose: string): Promise<Form> => {
      requireOwnOrigin(ctx, base())
      const form = await readForm(ctx)
      const seed = seedOf(ctx, cookie().name)
      const given = Buffer.from(form.get(FORM_TOKEN) ?? '')
      const expected = seed === undefined ? undefined : Buffer.from(tokenOf(seed, purpose))
      if (expected === undefined || given.length !== expected.length || !timingSafeEqual(given, expected))
        throw refuse('forbidden', {
          detail: 'the page was open for too long, or cookies are off; go back, load it again and repeat',
        })
      return form
    },
  })
}

/** Browsers keep the `__Host-` prefix for cookies of https. On plain http, which is for loopback, it is left out. */
const formCookie = (base: string): { readonly name: string; readonly secure: boolean } => {
  const secure = base.startsWith('https:')
  return { name: secure ? '__Host-pharos_form' : 'pharos_form', secure }
}

const SEED = /^[\w-]{32}$/

const seedOf = (ctx: Koa.Context, name: string): string | undefined => {
  const seed = ctx.cookies.get(name, { signed: false })
  return seed !== undefined && SEED.test(seed) ? seed : undefined
}
