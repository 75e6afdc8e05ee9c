import { describe, expect, it } from 'vitest'
import { rateLimitHeaders } from '../../server/admission/door.ts'
import { rateLimited } from '../../server/domain/limits/charge.ts'

const refused = {
  budget: 'jsonapi_caller',
  allowed: false,
  limit: 120,
  remaining: 0,
  retryAfterMs: 11_870,
} as const

describe('the header fields of a charge', () => {
  it('of a refusal say when to come back, in whole seconds rounded up', () => {
    expect(rateLimitHeaders(refused)).toEqual({
      'Retry-After': '12',
      'RateLimit-Policy': '"caller";q=120;w=60',
      RateLimit: '"caller";r=0;t=12',
    })
    expect(rateLimitHeaders({ ...refused, retryAfterMs: 1 })['Retry-After']).toBe('1')
    expect(rateLimitHeaders({ ...refused, retryAfterMs: 1_000 })['Retry-After']).toBe('1')
  })

  it('of an allowed one say what is left', () => {
    const charge = {
      budget: 'graphql_address',
      allowed: true,
      limit: 1_000,
      remaining: 997,
      retryAfterMs: 0,
    } as const
    expect(rateLimitHeaders(charge)).toEqual({
      'RateLimit-Policy': '"address";q=1000;w=60',
      RateLimit: '"address";r=997',
    })
  })

  it('the refusal carries the wait in milliseconds and the limit', () => {
    expect(rateLimited(refused)).toMatchObject({
      code: 'rate_limited',
      status: 429,
      problems: [{ meta: { retry_after_ms: 11_870, limit: 120 } }],
    })
  })
})
