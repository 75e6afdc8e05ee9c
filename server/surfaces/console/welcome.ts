// The first message on every connection: the caller, the available streams and the head of the chain.
import {
  connectionLimits,
  type StreamName,
  streams,
  type Welcome,
} from '../../../shared/wire/console_stream.ts'
import type { Tenant } from '../../domain/accounts/tenant.ts'
import type { Beacon } from '../../domain/beacons/beacon.ts'
import type { Admission } from './handshake.ts'

export const welcomeOf = (
  { caller, tenant, serverTime }: Admission,
  head: Beacon,
  offered: readonly StreamName[],
): Welcome => ({
  user: { id: caller.userId, full_name: caller.fullName },
  team: teamOf(tenant),
  plan: caller.plan,
  streams: offered.map((name) => ({ name, title: streams[name].title, events: streams[name].events })),
  head,
  server_time: serverTime,
  limits: connectionLimits,
})

export const teamOf = ({ id, name, role }: Tenant): Welcome['team'] => ({ id, name, role })
