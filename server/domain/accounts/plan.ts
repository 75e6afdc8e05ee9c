// The limits of an account: webhook endpoints, items and bytes of claims a day, stream connections, teams that keep
// items.

const MIB = 1_048_576

export const PLANS = {
  free: {
    webhookEndpoints: 0,
    teamRetains: false,
    itemsADay: 1_000,
    claimBytesADay: 16 * MIB,
    sockets: 10,
  },
  developer: {
    webhookEndpoints: 5,
    teamRetains: false,
    itemsADay: 50_000,
    claimBytesADay: 512 * MIB,
    sockets: 50,
  },
  business: {
    webhookEndpoints: 50,
    teamRetains: true,
    itemsADay: 2_000_000,
    claimBytesADay: 16_384 * MIB,
    sockets: 500,
  },
  enterprise: {
    webhookEndpoints: Number.POSITIVE_INFINITY,
    teamRetains: true,
    itemsADay: Number.POSITIVE_INFINITY,
    claimBytesADay: Number.POSITIVE_INFINITY,
    sockets: Number.POSITIVE_INFINITY,
  },
} as const

export type Plan = keyof typeof PLANS

export const planNames = Object.keys(PLANS) as readonly Plan[]
