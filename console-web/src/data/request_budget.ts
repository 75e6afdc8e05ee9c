// How many requests the caller may still make, as the last answer of the API said it (RateLimit fields of
// draft-ietf-httpapi-ratelimit-headers).

export type RequestBudget = NonNullable<ReturnType<typeof readBudget>>

/** Null when the answer says nothing, or something else. `now` is local time. */
export const readBudget = (headers: Pick<Headers, 'get'>, now: number) => {
  const left = /^"[^"]{1,64}";r=(\d{1,9})\b/.exec(headers.get('ratelimit') ?? '')
  const policy = /^"[^"]{1,64}";q=(\d{1,9});w=(\d{1,9})\b/.exec(headers.get('ratelimit-policy') ?? '')
  if (left === null || policy === null) return null
  return {
    remaining: Number(left[1]),
    limit: Number(policy[1]),
    windowMs: Number(policy[2]) * 1_000,
    at: now,
  }
}
