// What all servers know of callers' requests: what each subject has spent of its budgets, what a creator submitted in a
// day, each with the function that grants, and the outcome of requests that may be sent again.
import { Migration } from '../migration.ts'

export class Migration0005Limits extends Migration {
  override up(): void {
    this.addSql(`
      -- minute is null for a bucket. For a budget per clock minute it is the minute in which settled was spent.
      -- settled is what was spent without a lease (positive) or leased and given back (negative). due is for waiting
      -- requests. spare is for later requests.
      CREATE TYPE budget_ask AS (
        per_minute double precision,
        minute double precision,
        settled double precision,
        due double precision,
        spare double precision
      )`)
    this.addSql(`
      -- The table is unlogged, because its rows count about one minute and change all the time. They cost no WAL, and
      -- no commit waits for the disk. A crash or a failover empties the table, and then every subject has a full
      -- budget again. granted is the answer to the newest ask; it is a column because RETURNING can only return
      -- columns of the row. ask is a column because ON CONFLICT can only read columns. Rows of idle subjects are
      -- deleted. There is no index on at, because an index would keep updates from staying on their page.
      CREATE UNLOGGED TABLE rate_budgets (
        budget text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        spent double precision NOT NULL,
        granted double precision NOT NULL,
        at timestamptz(3) NOT NULL,
        ask budget_ask NOT NULL,
        PRIMARY KEY (budget, subject)
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`)
    this.addSql(`
      -- Who has a row that has not ended runs an agent script on some server. Unlogged: after a crash nobody runs one.
      CREATE UNLOGGED TABLE script_turns (
        user_id text COLLATE "C" PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        turn text COLLATE "C" NOT NULL,
        ends_at timestamptz(3) NOT NULL
      )`)
    this.addSql(`
      -- Subtracts what time has given back, adds what was settled, and grants. A spare grant is at most an eighth of
      -- the rest, so that servers hold less of a budget that runs out. The recorded spending exceeds the limit by at
      -- most 5 %. Requests beyond that, which servers admitted while they could not reach the database, are forgiven.
      CREATE FUNCTION lease_budget(INOUT spent double precision, INOUT at timestamptz, ask budget_ask,
                                   OUT granted double precision) LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
          -- This statement may have waited for the row while later ones changed it. Their time must not be undone.
          moment timestamptz := CASE WHEN at BETWEEN pharos_now() AND pharos_now() + interval '1 second' THEN at
                                     ELSE pharos_now() END;
          this_minute double precision := floor(unix_ms(moment) / 60000);
          unspent double precision;
        BEGIN
          IF ask.minute IS NULL THEN
            spent := greatest(0, spent - greatest(0, unix_ms(moment) - unix_ms(at)) * ask.per_minute / 60000)
                   + ask.settled;
          ELSE
            IF this_minute <> floor(unix_ms(at) / 60000) THEN spent := 0; END IF;
            IF this_minute = ask.minute THEN spent := spent + ask.settled; END IF;
          END IF;
          spent := least(greatest(0, spent), ask.per_minute * 1.05);
          unspent := floor(ask.per_minute - spent + 1e-6);
          granted := greatest(0, least(ask.due, unspent));
          granted := granted + greatest(0, least(ask.spare, floor((unspent - granted) / 8)));
          spent := spent + granted;
          at := moment;
        END
      $$`)
    this.addSql(`
      -- What a creator submitted in a day (UTC), for plans with a daily limit. Every group of submissions changes a
      -- row, so the key is the only index and each page has free room.
      CREATE TABLE daily_submissions (
        day date NOT NULL,
        creator_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        items bigint NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (day, creator_id)
      ) WITH (fillfactor = 70)`)
    this.addSql(`
      -- Admits each ask that fits, in order. The row stays locked until the transaction ends, and other submissions
      -- of the creator wait for it.
      CREATE FUNCTION take_allowance(creator text, nths int[], asked_items double precision[],
                                     asked_bytes double precision[], most_items double precision,
                                     most_bytes double precision)
        RETURNS TABLE (nth int, day date, beyond text) LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
          today date := (pharos_now() AT TIME ZONE 'UTC')::date;
          had daily_submissions;
        BEGIN
          LOOP
            SELECT d.* INTO had FROM daily_submissions d WHERE d.day = today AND d.creator_id = creator FOR UPDATE;
            EXIT WHEN FOUND;
            INSERT INTO daily_submissions VALUES (today, creator, 0, 0) ON CONFLICT DO NOTHING;
          END LOOP;
          day := today;
          FOR i IN 1 .. array_length(nths, 1) LOOP
            nth := nths[i];
            beyond := CASE WHEN had.items + asked_items[i] > most_items THEN 'items'
                           WHEN had.bytes + asked_bytes[i] > most_bytes THEN 'bytes' END;
            IF beyond IS NULL THEN
              had.items := had.items + asked_items[i];
              had.bytes := had.bytes + asked_bytes[i];
            END IF;
            RETURN NEXT;
          END LOOP;
          UPDATE daily_submissions d SET items = had.items, bytes = had.bytes
           WHERE d.day = today AND d.creator_id = creator;
        END
      $$`)
    this.addSql(`
      -- outcome contains ids and refusals, never claims, because redaction does not change this table.
      CREATE TABLE idempotency_keys (
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        key text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
        request_hash bytea NOT NULL CHECK (length(request_hash) = 32),
        outcome text NOT NULL,
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        PRIMARY KEY (user_id, key)
      )`)
    this.addSql(`CREATE INDEX idempotency_keys_age ON idempotency_keys USING brin (inserted_at)`)
  }
}
