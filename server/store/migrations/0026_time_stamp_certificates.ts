// Certificates of the time-stamp authority, with the keys of those that the service has made.
import { Migration } from '../migration.ts'

export class Migration0026TimeStampCertificates extends Migration {
  override up(): void {
    this.addSql(`
      -- A root has issued itself. A leaf signs tokens. What an operator brought has no key here. chain is what stands
      -- behind the certificate, up to the root.
      CREATE TABLE time_stamp_certificates (
        -- SHA-256 of the certificate.
        fingerprint bytea PRIMARY KEY CHECK (length(fingerprint) = 32),
        -- In the order in which they came.
        number int GENERATED ALWAYS AS IDENTITY UNIQUE,
        role text COLLATE "C" NOT NULL CHECK (role IN ('root', 'leaf', 'brought')),
        key_type text COLLATE "C" CHECK (key_type IN ('p256', 'rsa')),
        certificate bytea NOT NULL,
        chain bytea[] NOT NULL,
        sealed_key bytea,
        signs_until timestamptz NOT NULL,
        inserted_at timestamptz NOT NULL DEFAULT pharos_now(),
        CHECK ((role = 'brought') = (sealed_key IS NULL)),
        CHECK ((role = 'brought') = (key_type IS NULL))
      )`)
  }
}
