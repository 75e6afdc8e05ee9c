// Signatures of webhook deliveries, by keys of each endpoint.
import { Migration } from '../migration.ts'

export class Migration0022WebhookSignatures extends Migration {
  override up(): void {
    this.addSql(`
      -- The sealed keys are a list, the newest first, with the time when each ends. The public halves stand beside it,
      -- because what is sealed is opened to sign alone.
      ALTER TABLE webhook_endpoints
        ADD COLUMN signing text COLLATE "C" NOT NULL DEFAULT 'none' CHECK (signing IN ('none', 'v1', 'v1a')),
        ADD COLUMN sealed_signing_keys bytea,
        ADD COLUMN public_keys jsonb NOT NULL DEFAULT '[]' CHECK ((public_keys = '[]') = (signing <> 'v1a')),
        ADD CHECK ((signing = 'none') = (sealed_signing_keys IS NULL))`)
    this.addSql(`CREATE INDEX webhook_endpoints_signing ON webhook_endpoints (user_id, signing, id)`)
  }
}
