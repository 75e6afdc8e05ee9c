// Events about webhook endpoints themselves, for the other endpoints of the same owner.
import { Migration } from '../migration.ts'

export class Migration0024EndpointEvents extends Migration {
  override up(): void {
    this.addSql(`
      ALTER TABLE webhook_endpoints
        DROP CONSTRAINT webhook_endpoints_resource_type_check,
        ADD CONSTRAINT webhook_endpoints_resource_type_check CHECK (resource_type IN ('item', 'webhook_endpoint')),
        ADD CHECK (resource_type = 'item' OR team_filter_id IS NULL)`)
    this.addSql(`
      -- NOT VALID, because every row satisfied the one before, and looking again would hold up deliveries.
      ALTER TABLE webhook_deliveries
        DROP CONSTRAINT webhook_deliveries_resource_type_check,
        ADD CONSTRAINT webhook_deliveries_resource_type_check
        CHECK (resource_type IN ('item', 'webhook_endpoint')) NOT VALID`)
    this.addSql(`
      -- An endpoint as events show it. Its address is left out, because the paths of many addresses are secrets.
      CREATE FUNCTION endpoint_snapshot(e webhook_endpoints) RETURNS jsonb LANGUAGE sql STABLE AS $$
        SELECT jsonb_build_object(
          'id', e.id, 'kind', e.kind, 'description', e.description, 'signing', e.signing, 'enabled', e.enabled,
          'disabled_reason', e.disabled_reason, 'consecutive_failures', e.consecutive_failures,
          'last_success_at', iso_time(e.last_success_at), 'last_failure_at', iso_time(e.last_failure_at),
          'updated_at', iso_time(e.updated_at))
      $$`)
    this.addSql(`
      -- Endpoints fail and are disabled by several statements. This trigger tells all of them, in their transaction.
      CREATE FUNCTION tell_endpoint_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO facts (kind, subject_id, creator_id, data)
          SELECT kind, NEW.id, NEW.user_id, endpoint_snapshot(NEW)
            FROM (VALUES ('webhook_endpoint.failing', OLD.consecutive_failures < 10 AND NEW.consecutive_failures >= 10),
                         ('webhook_endpoint.disabled', OLD.enabled AND NOT NEW.enabled)) AS told (kind, is_so)
           WHERE is_so;
          RETURN NULL;
        END
      $$`)
    this.addSql(`
      CREATE TRIGGER tell_endpoint_change AFTER UPDATE OF enabled, consecutive_failures ON webhook_endpoints FOR EACH ROW
      WHEN ((OLD.consecutive_failures < 10 AND NEW.consecutive_failures >= 10) OR (OLD.enabled AND NOT NEW.enabled))
      EXECUTE FUNCTION tell_endpoint_change()`)
  }
}
