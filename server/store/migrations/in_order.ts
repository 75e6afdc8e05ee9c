// Every migration, in the order in which they are applied. A new one goes to the end.
import { type MigrationStep, readMigration } from '../migration.ts'
import { Migration0001Time } from './0001_time.ts'
import { Migration0002Accounts } from './0002_accounts.ts'
import { Migration0003Ledger } from './0003_ledger.ts'
import { Migration0004Knowledge } from './0004_knowledge.ts'
import { Migration0005Limits } from './0005_limits.ts'
import { Migration0006Lists } from './0006_lists.ts'
import { Migration0007Commitments } from './0007_commitments.ts'
import { Migration0008DevelopmentChain } from './0008_development_chain.ts'
import { Migration0009Webhooks } from './0009_webhooks.ts'
import { Migration0010EntropySources } from './0010_entropy_sources.ts'
import { Migration0011OAuth } from './0011_oauth.ts'
import { Migration0012Log } from './0012_log.ts'
import { Migration0013Witnesses } from './0013_witnesses.ts'
import { Migration0014WebhookStatistics } from './0014_webhook_statistics.ts'
import { Migration0015WebhookReceiver } from './0015_webhook_receiver.ts'
import { Migration0016MissingCheckpoints } from './0016_missing_checkpoints.ts'
import { Migration0017WebhookDurations } from './0017_webhook_durations.ts'
import { Migration0018RoomForSignIns } from './0018_room_for_sign_ins.ts'
import { Migration0019MasterKey } from './0019_master_key.ts'
import { Migration0020AggregationRounds } from './0020_aggregation_rounds.ts'
import { Migration0021WebhookBounds } from './0021_webhook_bounds.ts'
import { Migration0022WebhookSignatures } from './0022_webhook_signatures.ts'
import { Migration0023PullEndpoints } from './0023_pull_endpoints.ts'
import { Migration0024EndpointEvents } from './0024_endpoint_events.ts'
import { Migration0025FormerKeys } from './0025_former_keys.ts'
import { Migration0026TimeStampCertificates } from './0026_time_stamp_certificates.ts'

export const MIGRATIONS: readonly MigrationStep[] = Object.freeze(
  [
    Migration0001Time,
    Migration0002Accounts,
    Migration0003Ledger,
    Migration0004Knowledge,
    Migration0005Limits,
    Migration0006Lists,
    Migration0007Commitments,
    Migration0008DevelopmentChain,
    Migration0009Webhooks,
    Migration0010EntropySources,
    Migration0011OAuth,
    Migration0012Log,
    Migration0013Witnesses,
    Migration0014WebhookStatistics,
    Migration0015WebhookReceiver,
    Migration0016MissingCheckpoints,
    Migration0017WebhookDurations,
    Migration0018RoomForSignIns,
    Migration0019MasterKey,
    Migration0020AggregationRounds,
    Migration0021WebhookBounds,
    Migration0022WebhookSignatures,
    Migration0023PullEndpoints,
    Migration0024EndpointEvents,
    Migration0025FormerKeys,
    Migration0026TimeStampCertificates,
  ].map(readMigration),
)
