// What stands behind the ways in: the services of the operations, accounts, feeds, rounds, and the time-stamp authority.
import type { Services } from '../catalog/context.ts'
import { openExpensiveReads, type Query } from '../contract/expensive_reads.ts'
import { createAccountCache } from '../domain/accounts/account_cache.ts'
import { openAccountDoor } from '../domain/accounts/account_door.ts'
import { createAllowances } from '../domain/accounts/daily_allowance.ts'
import { BeaconMemory } from '../domain/beacons/beacon.ts'
import { createBeaconFeed } from '../domain/beacons/beacon_feed.ts'
import { type ChainStanding, chainStandings } from '../domain/commitments/commitment.ts'
import { createSigner } from '../domain/ledger/signing_key.ts'
import { createSubmitter, openBatchTurns, submitOnce } from '../domain/ledger/submitter.ts'
import { countAttempts } from '../domain/limits/charge.ts'
import { openTrustedKeyrings } from '../domain/proofs/keyrings.ts'
import { openRounds, type Rounds } from '../domain/rounds/open_rounds.ts'
import { openAuthority, usualPolicy } from '../domain/time_stamps/authority.ts'
import { noteBroughtCertificate } from '../domain/time_stamps/certificates.ts'
import { openStampingClock, openTimeServers } from '../domain/time_stamps/stamping_clock.ts'
import {
  createDeliveryFeed,
  keepDeliveryListeners,
} from '../domain/webhooks/deliveries/delivery_listeners.ts'
import { openPullWaits } from '../domain/webhooks/pulling/pull_waits.ts'
import { recordingReads } from '../domain/webhooks/pulling/record_read.ts'
import { repeat } from '../kernel/flow/repeat.ts'
import { sharedAnswer } from '../kernel/flow/shared_work.ts'
import { lanes } from '../kernel/flow/side_by_side.ts'
import { getPinned } from '../outgoing/vetted_request.ts'
import { readBroughtCertificate } from '../start/brought_files.ts'
import { isDatabaseUnavailable, isRecoveryConflict } from '../store/database_errors.ts'
import type { Replica, Store } from '../store/open_store.ts'
import { rows } from '../store/statement.ts'
import { openRoundProofs } from '../surfaces/doors/round_proofs.ts'
import { logProof } from '../surfaces/log/serve_log.ts'
import { readReadiness } from '../watch/readiness.ts'
import type { AppOptions } from './app_options.ts'
import type { CommonParts } from './common_parts.ts'
import { servedLog } from './public_log.ts'

/** How often the use of credentials is written to the database. */
const NOTE_USE_MS = 30_000

/** How long the standing of Bitcoin is told again before it is read again. */
const STANDING_MS = 2_000

/** A head younger than this is taken from memory while notices arrive. */
const HEAD_FRESH_MS = 5_000

export type RequestServices = Awaited<ReturnType<typeof openRequestServices>>

/** @param base the public origin, empty until it is known */
export async function openRequestServices(options: AppOptions, common: CommonParts, base: () => string) {
  const { store, log, masterKey, metrics } = options
  const { limits, notices, announceFacts, webhooks } = common
  const watch = () => store.em('watch')
  const signer = createSigner({ masterKey })
  const accounts = createAccountCache({ em: () => store.em('read'), connected: notices.connected })
  const feed = createBeaconFeed({ em: watch, log, connected: notices.connected })
  const useNotNoted = (err: unknown) => log.warn({ err }, 'accounts.use_not_noted')
  const noting = repeat({ everyMs: NOTE_USE_MS, onError: useNotNoted, run: accounts.noteUse })
  const accountDoor = openAccountDoor({
    em: () => store.em('write'),
    attempts: countAttempts(limits),
    deviceKey: masterKey.derive('known devices'),
    ceilings: options.ceilings,
    signUpIsOpen: options.signUpIsOpen,
    forgetAccounts: accounts.clear,
    log,
  })
  const allowances = createAllowances({ em: () => store.em('write'), log })
  const submitter = createSubmitter({
    em: () => store.em('write'),
    signer,
    allowances,
    onGroup: (items) => metrics.observe('pharos_submission_group_items', {}, items),
  })
  const batches = openBatchTurns(store.connections('write'))
  const rounds = openRounds({
    em: () => store.em('write'),
    signer,
    intervalMs: options.aggregationIntervalMs,
    onRecorded: ({ kind, entries }) => {
      metrics.observe('pharos_round_leaves', { kind }, entries)
      announceFacts()
    },
    log,
  })
  metrics.atScrape(() => metrics.set('pharos_round_leaves_waiting', {}, rounds.waiting()))
  const timeStamps = await openTimeStamps(options, rounds)
  const trusted = await openTrustedKeyrings({ sources: options.trustedKeyrings, log })
  const slots = { blockMs: options.blockIntervalMs, chains: common.chains }
  const generating = { signer, charge: limits.charge, slots, log }
  const beacons = new BeaconMemory()
  feed.onReplaced(() => {
    beacons.forget()
    metrics.count('pharos_chain_replaced_total', {})
  })
  const pullWaits = openPullWaits({ em: watch, log })
  const services: Services = {
    base,
    submitItem: async (draft, plan) => {
      const item = await submitter.submit(draft, plan)
      announceFacts()
      return item
    },
    submitItems: async (by, drafts, once) => {
      const submit = () => submitOnce({ em: store.em('write'), signer }, by, drafts, once)
      const results = await (drafts.length > 1 ? batches.run(by.userId, submit) : submit())
      announceFacts()
      return results
    },
    announceFacts,
    changingAccounts: async (change) => {
      const changed = await change
      accounts.clear()
      return changed
    },
    changePassword: accountDoor.changePassword,
    tenantOf: accounts.tenant,
    proofs: {
      generating,
      verifying: { charge: limits.charge, trusted, addresses: options.lookups },
      layout: options.proofLayout,
    },
    beacons,
    ceilings: options.ceilings,
    expensiveReads: openExpensiveReads({
      em: () => options.replica?.em('expensive') ?? store.em('expensive'),
      connections: store.connections('expensive'),
      ceilings: options.ceilings,
    }),
    furtherPart: lanes(1),
    ...(options.replica === undefined ? {} : { listing: listingQuery(options.replica, store) }),
    webhooks: {
      ...webhooks.services,
      waits: pullWaits,
      recordRead: recordingReads(
        () => store.em('write'),
        (recorded) => {
          for (const status of ['success', 'cancelled'] as const)
            metrics.count('pharos_webhook_attempts_total', { kind: 'pull', status }, recorded[status])
          log.info(recorded, 'webhook.read')
        },
      ),
    },
    knownHead: () => feed.headIfFresh(HEAD_FRESH_MS),
    knownNewest: () => feed.newestIfFresh(HEAD_FRESH_MS),
  }

  const deliveryListeners = keepDeliveryListeners({ em: watch, log })
  const deliveries = createDeliveryFeed({ em: watch, deliveryListeners, log })
  const publicLog = servedLog({
    em: () => store.em('read'),
    publicLog: common.publicLog,
    witnessing: common.witnesses?.witnessing,
    base,
  })
  return Object.freeze({
    services,
    /** Tell agents how long a proof takes. */
    slots,
    accounts,
    /** What people do with accounts on the sign-in pages. */
    accountDoor,
    limits,
    /** What `/log` shows. */
    publicLog,
    /** Where digests without an account go, and what proves them. */
    rounds,
    timeStamps,
    roundProofs: openRoundProofs({
      em: () => store.em('read'),
      connections: store.connections('read'),
      ...generating,
      chains: common.chains.map(({ chain }) => chain.name),
      logProof: options.logIsPublic ? (height) => logProof(publicLog, height) : undefined,
    }),
    /** Undefined before Bitcoin was asked. */
    bitcoinStanding: bitcoinStanding(store, common),
    /** Reads a document about a client from a host that anybody may name. */
    getDocument: getPinned({ ...options.webhooks, guard: webhooks.tools.guard }),
    feed,
    deliveries,
    deliveryListeners,
    pullWaits,
    readiness: async () => {
      const trouble = options.databaseTrouble?.()
      if (trouble !== undefined) return { ready: false, database: 'unavailable', database_ended: trouble }
      return readReadiness({
        em: watch,
        disk: store.disk,
        masterKey,
        blockIntervalMs: options.blockIntervalMs,
        entropy: options.entropy,
        chains: common.chains,
        notices: notices.connected,
        headWatch: common.headWatch,
        feed,
        publicLog: common.publicLog,
        witnessing: common.witnesses?.witnessing,
        replica: options.replica,
        stampingClock: timeStamps.isOpen ? timeStamps.clock : undefined,
      })
    },
    /** To be called when nobody is answered any more. */
    close: async (): Promise<void> => {
      await timeStamps.close()
      await noting.stop()
      await accounts.noteUse().catch(useNotNoted)
      trusted.close()
      await deliveries.close()
      await deliveryListeners.close()
      await pullWaits.close()
      await feed.close()
    },
  })
}

/** While the database is slow, what it said before is told again. Undefined before it has said anything. */
function bitcoinStanding(store: Store, { chains }: Pick<CommonParts, 'chains'>) {
  const bitcoin = chains.filter(({ chain }) => chain.name === 'bitcoin')
  let known: ChainStanding | undefined
  const read = async () => {
    known = (await chainStandings(store.em('read'), bitcoin))[0]
    return known
  }
  return sharedAnswer(read, { freshMs: STANDING_MS, patienceMs: STANDING_MS, late: () => known })
}

/** A statement that fails because of the replica runs again on the primary. */
const listingQuery =
  (replica: Replica, store: Store): Query =>
  async (statement) => {
    const em = replica.em('read')
    if (em === undefined) return rows(store.em('read'), statement)
    try {
      return await rows(em, statement)
    } catch (error) {
      if (!isDatabaseUnavailable(error) && !isRecoveryConflict(error)) throw error
      return rows(store.em('read'), statement)
    }
  }

/**
 * What stands behind `/tsa`: the authority, its clock, and the certificate that signs.
 * @throws an Error that says what is wrong with a certificate that the operator brings
 */
async function openTimeStamps(options: AppOptions, rounds: Pick<Rounds, 'placeToken'>) {
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
