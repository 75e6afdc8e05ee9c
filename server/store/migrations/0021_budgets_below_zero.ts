// A bucket may go below zero by a whole budget, so that what agent scripts used is known to every server.
import { Migration } from '../migration.ts'

export class Migration0021BudgetsBelowZero extends Migration {
  override up(): void {
    this.addSql(`
      -- Subtracts what time has given back, adds what was settled, and grants. A spare grant is at most an eighth of
      -- the rest, so that servers hold less of a budget that runs out. The recorded spending is at most twice the
      -- limit. Requests beyond that, which servers admitted while they could not reach the database, are forgiven.
      CREATE OR REPLACE FUNCTION lease_budget(INOUT spent double precision, INOUT at timestamptz, ask budget_ask,
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
          spent := least(greatest(0, spent), ask.per_minute * 2);
          unspent := floor(ask.per_minute - spent + 1e-6);
          granted := greatest(0, least(ask.due, unspent));
          granted := granted + greatest(0, least(ask.spare, floor((unspent - granted) / 8)));
          spent := spent + granted;
          at := moment;
        END
      $$`)
  }
}
