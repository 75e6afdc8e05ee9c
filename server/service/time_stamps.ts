// What stands behind `/tsa`: the authority, its clock, and the certificate that signs.
import type { Rounds } from '../domain/rounds/open_rounds.ts'
import { openAuthority, usualPolicy } from '../domain/time_stamps/authority.ts'
import { noteBroughtCertificate } from '../domain/time_stamps/certificates.ts'
import { openStampingClock, openTimeServers } from '../domain/time_stamps/stamping_clock.ts'
import { readBroughtCertificate } from '../start/brought_certificate.ts'
import type { AppOptions } from './app_options.ts'

export type TimeStamps = Awaited<ReturnType<typeof openTimeStamps>>

/** @throws an Error that says what is wrong with a certificate that the operator brings */
export async function openTimeStamps(options: AppOptions, rounds: Pick<Rounds, 'placeToken'>) {
  const { store, masterKey, metrics, log, tsa } = options
  const isOpen = options.publicDoors.includes('tsa')
  const brought = await readBroughtCertificate(tsa)
  const em = () => store.em('write')
  if (isOpen && brought !== undefined) await noteBroughtCertificate(em(), brought)
  const servers =
    isOpen && tsa.timeServers !== undefined ? openTimeServers({ servers: tsa.timeServers, log }) : undefined
  const clock = openStampingClock(servers)
  const policy = tsa.policy ?? (await usualPolicy(store.em('read')))
  const authority = openAuthority({
    ...{ em, masterKey, rounds, clock, policy, keyType: tsa.keyType, brought, log },
    onAnswered: (outcome) => metrics.count('pharos_time_stamps_total', { outcome }),
  })
  metrics.atScrape(() =>
    metrics.set('pharos_time_stamp_clock_off', {}, isOpen && clock.standing() !== 'ok' ? 1 : 0),
  )
  // So that the first who asks does not wait for a key to be made.
  if (isOpen) authority.certificate().catch((err: unknown) => log.warn({ err }, 'time_stamp.no_certificate'))
  return Object.freeze({
    isOpen,
    authority,
    /** As people write it. */
    policy,
    clock: clock.standing,
    close: async (): Promise<void> => servers?.close(),
  })
}
