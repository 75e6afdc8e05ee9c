// What an account may have: how many webhook endpoints, and whether its teams may retain ownership of items.

export const PLANS = {
  free: { webhookEndpoints: 0, teamRetains: false },
  developer: { webhookEndpoints: 5, teamRetains: false },
  business: { webhookEndpoints: 50, teamRetains: true },
  enterprise: { webhookEndpoints: Number.POSITIVE_INFINITY, teamRetains: true },
} as const

export type Plan = keyof typeof PLANS

export const planNames = Object.keys(PLANS) as readonly Plan[]
