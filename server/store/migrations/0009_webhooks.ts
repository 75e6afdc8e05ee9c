// Webhooks: the endpoints, the facts that wait to become deliveries, and the deliveries, which are also the queue.
import { Migration } from '../migration.ts'

/** Columns by which an owner's deliveries are sorted or filtered. */
const DELIVERY_COLUMNS = [
  'endpoint_id',
  'event_type',
  'resource_id',
  'message_id',
  'status',
  'http_status',
  'attempts',
  'inserted_at',
  'updated_at',
] as const

/** Columns by which an owner's endpoints are sorted or filtered. */
const ENDPOINT_COLUMNS = ['url', 'enabled', 'inserted_at', 'updated_at'] as const

export class Migration0009Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      -- number increases in the order of creation. A fact stores the highest number at its time, so that an endpoint
      -- gets no event from before its creation. The lease admits one worker at a time to an endpoint.
      CREATE TABLE webhook_endpoints (
        id text COLLATE "C" PRIMARY KEY,
        number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        url text COLLATE "C" NOT NULL CHECK (length(url) <= 2048),
        resource_type text COLLATE "C" NOT NULL CHECK (resource_type = 'item'),
        events text[] COLLATE "C" NOT NULL CHECK (cardinality(events) > 0),
        description text,
        auth_type text COLLATE "C" NOT NULL CHECK (auth_type IN ('none', 'bearer')),
        sealed_auth_secret bytea,
        sealed_custom_headers bytea,
        custom_header_names text[] COLLATE "C" NOT NULL DEFAULT '{}',
        team_filter_id text COLLATE "C" REFERENCES teams (id),
        enabled boolean NOT NULL,
        disabled_reason text COLLATE "C" CHECK (disabled_reason IN ('manual', 'failing')),
        consecutive_failures int NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
        failing_since timestamptz(3),
        last_success_at timestamptz(3),
        last_failure_at timestamptz(3),
        lease_id text,
        leased_until timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        updated_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        CHECK ((auth_type = 'bearer') = (sealed_auth_secret IS NOT NULL)),
        CHECK ((sealed_custom_headers IS NULL) = (custom_header_names = '{}')),
        CHECK (enabled = (disabled_reason IS NULL)),
        CHECK ((consecutive_failures = 0) = (failing_since IS NULL))
      )`)
    this.addSql(`CREATE INDEX webhook_endpoints_user ON webhook_endpoints (user_id, id)`)
    this.addSql(
      `CREATE INDEX webhook_endpoints_team ON webhook_endpoints (team_filter_id) WHERE team_filter_id IS NOT NULL`,
    )
    for (const column of ENDPOINT_COLUMNS)
      this.addSql(`CREATE INDEX webhook_endpoints_${column} ON webhook_endpoints (user_id, ${column}, id)`)
    this.addSql(`
      -- creator_id, team_id and visibility are those of the item at the time of the event. payload is the exact text
      -- that is sent. endpoint_id has no foreign key, because deliveries stay after their endpoint is deleted.
      -- fact_id is null for samples and for deliveries that are sent again.
      CREATE TABLE webhook_deliveries (
        id text COLLATE "C" PRIMARY KEY,
        user_id text COLLATE "C" NOT NULL,
        endpoint_id text COLLATE "C" NOT NULL,
        fact_id bigint,
        event_type text COLLATE "C" NOT NULL,
        resource_type text COLLATE "C" NOT NULL CHECK (resource_type = 'item'),
        resource_id text COLLATE "C" NOT NULL,
        message_id text COLLATE "C" NOT NULL,
        creator_id text COLLATE "C" NOT NULL,
        team_id text COLLATE "C" NOT NULL,
        visibility text COLLATE "C" NOT NULL,
        is_sample boolean NOT NULL DEFAULT false,
        status text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'success', 'failed', 'cancelled')),
        http_status int,
        error text,
        attempts int NOT NULL DEFAULT 0 CHECK (attempts >= 0),
        duration_ms int,
        next_attempt_at timestamptz(3),
        first_attempt_at timestamptz(3),
        last_attempt_at timestamptz(3),
        completed_at timestamptz(3),
        payload text NOT NULL,
        response_body text,
        attempt_log jsonb NOT NULL DEFAULT '[]',
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        updated_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
        CHECK ((status = 'pending') = (completed_at IS NULL))
      )`)
    this.addSql(`
      -- A fact makes one delivery per item and endpoint, even if it is handled more than once.
      CREATE UNIQUE INDEX webhook_deliveries_fact ON webhook_deliveries (fact_id, resource_id, endpoint_id)
      WHERE fact_id IS NOT NULL`)
    this.addSql(`
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at, id)
      WHERE status = 'pending'`)
    this.addSql(`
      CREATE INDEX webhook_deliveries_written ON webhook_deliveries (updated_at) WHERE status = 'pending'`)
    this.addSql(`
      CREATE INDEX webhook_deliveries_lost ON webhook_deliveries (endpoint_id, completed_at, id)
      WHERE status IN ('failed', 'cancelled')`)
    this.addSql(`CREATE INDEX webhook_deliveries_user ON webhook_deliveries (user_id, id)`)
    this.addSql(`CREATE INDEX webhook_deliveries_age ON webhook_deliveries USING brin (inserted_at)`)
    for (const column of DELIVERY_COLUMNS)
      this.addSql(`CREATE INDEX webhook_deliveries_${column} ON webhook_deliveries (user_id, ${column}, id)`)
    this.addSql(`
      -- A delivery as events show it. It never contains the payload or the receiver's answer.
      CREATE FUNCTION delivery_snapshot(d webhook_deliveries) RETURNS jsonb LANGUAGE sql STABLE AS $$
        SELECT jsonb_build_object(
          'id', d.id, 'endpoint_id', d.endpoint_id, 'event_type', d.event_type, 'resource_type', d.resource_type,
          'resource_id', d.resource_id, 'message_id', d.message_id, 'status', d.status, 'http_status', d.http_status,
          'error', d.error, 'attempts', d.attempts, 'duration_ms', d.duration_ms,
          'next_attempt_at', iso_time(d.next_attempt_at), 'first_attempt_at', iso_time(d.first_attempt_at),
          'last_attempt_at', iso_time(d.last_attempt_at), 'completed_at', iso_time(d.completed_at),
          'inserted_at', iso_time(d.inserted_at), 'updated_at', iso_time(d.updated_at))
      $$`)
    this.addSql(`
      -- Owners who listen to news about their deliveries, on any server. News of others are not written. Unlogged,
      -- because every server writes its listeners again within seconds.
      CREATE UNLOGGED TABLE delivery_listeners (
        user_id text COLLATE "C" PRIMARY KEY,
        listening_until timestamptz(3) NOT NULL
      )`)
    this.addSql(`
      -- The events and the facts from which they are made, as in shared/wire/webhook_events.ts. Each server writes
      -- its own rows at start. One fact is one event: for its subject, or for each item of the block that is its
      -- subject.
      CREATE TABLE webhook_events (
        event text COLLATE "C" PRIMARY KEY,
        fact text COLLATE "C" NOT NULL UNIQUE,
        each_item boolean NOT NULL
      )`)
    this.addSql(`
      -- Facts that wait to become deliveries, with the place where the work continues: the next item of a block, and
      -- the last finished endpoint of the first unfinished fact or item. height is set for an event per item of the
      -- block of this height. It is null for an event about the subject only.
      CREATE TABLE webhook_facts (
        fact_id bigint PRIMARY KEY,
        event text COLLATE "C" NOT NULL,
        subject_id text COLLATE "C" NOT NULL,
        creator_id text COLLATE "C",
        team_id text COLLATE "C",
        visibility text COLLATE "C",
        data jsonb NOT NULL,
        newest_endpoint bigint NOT NULL,
        height int,
        next_item text COLLATE "C" NOT NULL DEFAULT '',
        after_endpoint text COLLATE "C" NOT NULL DEFAULT ''
      )`)
    this.addSql(`CREATE INDEX webhook_facts_blocks ON webhook_facts (height) WHERE height IS NOT NULL`)
    this.addSql(`
      -- This trigger queues facts for webhooks in the transaction that records them, so the code that records facts
      -- does not depend on webhooks. Only facts that some endpoint may want are queued. An endpoint that this trigger
      -- does not see did not exist when the event happened.
      CREATE FUNCTION queue_webhook_facts() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_facts
                 (fact_id, event, subject_id, creator_id, team_id, visibility, data, newest_endpoint, height)
          SELECT f.id, v.event, f.subject_id, f.creator_id, f.team_id, f.visibility, f.data,
                 (SELECT max(number) FROM webhook_endpoints),
                 CASE WHEN v.each_item THEN (SELECT b.height FROM blocks b WHERE b.id = f.subject_id) END
            FROM fresh f JOIN webhook_events v ON v.fact = f.kind
           WHERE CASE WHEN v.each_item
                 THEN (SELECT b.item_count FROM blocks b WHERE b.id = f.subject_id) > 0
                  AND EXISTS (SELECT FROM webhook_endpoints e WHERE v.event = ANY (e.events))
                 ELSE EXISTS (SELECT FROM webhook_endpoints e
                               WHERE e.user_id = f.creator_id AND e.team_filter_id IS NULL AND v.event = ANY (e.events))
                   OR EXISTS (SELECT FROM webhook_endpoints e
                               WHERE e.team_filter_id = f.team_id AND v.event = ANY (e.events))
                 END;
          RETURN NULL;
        END
      $$`)
    this.addSql(`
      CREATE TRIGGER queue_webhook_facts AFTER INSERT ON facts REFERENCING NEW TABLE AS fresh
      FOR EACH STATEMENT EXECUTE FUNCTION queue_webhook_facts()`)
    this.addSql(`
      -- Copies of items of a block that changed or were deleted before the fact was handled, with their values before
      -- the change.
      CREATE TABLE webhook_kept_items (
        fact_id bigint NOT NULL,
        item_id text COLLATE "C" NOT NULL,
        creator_id text COLLATE "C" NOT NULL,
        team_id text COLLATE "C" NOT NULL,
        visibility text COLLATE "C" NOT NULL,
        data jsonb NOT NULL,
        PRIMARY KEY (fact_id, item_id)
      )`)
    this.addSql(`
      -- The events of a block's items are made later, but they must show the items as they were when the fact was
      -- recorded. So the first change of an item in between stores a copy of the old row. Each statement in this
      -- function sees everything that is committed by now, which includes a block that was not there when the change
      -- began.
      CREATE FUNCTION keep_committed_item() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO webhook_kept_items (fact_id, item_id, creator_id, team_id, visibility, data)
          SELECT f.fact_id, OLD.id, OLD.creator_id, OLD.team_id, OLD.visibility, item_snapshot(OLD)
            FROM block_leaves l JOIN webhook_facts f ON f.height = l.height
           WHERE l.subject_id = OLD.id AND f.next_item <= OLD.id
              ON CONFLICT DO NOTHING;
          RETURN NULL;
        END
      $$`)
    this.addSql(`
      CREATE TRIGGER keep_changed_item AFTER UPDATE OF redacted_at, visibility, tags, team_id ON items FOR EACH ROW
      WHEN ((OLD.redacted_at, OLD.visibility, OLD.tags, OLD.team_id)
            IS DISTINCT FROM (NEW.redacted_at, NEW.visibility, NEW.tags, NEW.team_id))
      EXECUTE FUNCTION keep_committed_item()`)
    this.addSql(`
      CREATE TRIGGER keep_deleted_item AFTER DELETE ON items FOR EACH ROW EXECUTE FUNCTION keep_committed_item()`)
  }
}
