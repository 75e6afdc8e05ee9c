// Budgets shared between servers: what each subject has spent, and the one function that hands out shares of the rest.
import { Migration } from '../migration.ts'

export class Migration0005Limits extends Migration {
  override up(): void {
    this.addSql(`
      -- minute is null for a bucket; for a budget per clock minute it is the minute that settled was spent in.
      -- settled: spent without a lease (above zero) or leased and given back (below). due: for requests that wait.
      -- spare: to hold in advance.
      CREATE TYPE budget_ask AS (
        per_minute double precision,
        minute double precision,
        settled double precision,
        due double precision,
        spare double precision
      )`)
    this.addSql(`
      -- Unlogged: these rows are a minute's worth of counting, changed all the time. They cost no WAL and no commit
      -- waits for the disk. A crash or a failover empties the table, and everybody has a whole budget again.
      -- granted is the answer to the newest ask, there because RETURNING sees only the row. ask is how an ask gets
      -- past ON CONFLICT. Rows of idle subjects are pruned; no index on at, or no update could stay on its page.
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
      -- Forgets what time has given back, settles, grants. What is spare is at most an eighth of what is left, so that
      -- servers hold less and less of a budget that runs out. Spending is never remembered beyond the limit by more
      -- than 5 %: what servers let through while they could not ask is forgiven.
      CREATE FUNCTION lease_budget(INOUT spent double precision, INOUT at timestamptz, ask budget_ask,
                                   OUT granted double precision) LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
          -- The statement may have waited for the row while others that came later had it: their time is not undone.
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
  }
}
