// Unused clients and waiting requests are counted by network, and found by their end.
import { Migration } from '../migration.ts'

export class Migration0018RoomForSignIns extends Migration {
  override up(): void {
    this.addSql(
      `DROP INDEX oauth_clients_unused, oauth_clients_unused_of, oauth_tickets_waiting, oauth_tickets_waiting_of`,
    )
    this.addSql(`
      CREATE INDEX oauth_clients_unused ON oauth_clients (address, expires_at, id)
      WHERE granted_at IS NULL AND registered_by = 'client'`)
    this.addSql(`
      -- A request of somebody who is signed in is not counted among those of networks.
      CREATE INDEX oauth_tickets_waiting ON oauth_tickets (address, expires_at)
      WHERE kind = 'interaction' AND address NOT LIKE 'account %'`)
    this.addSql(`
      CREATE INDEX oauth_tickets_waiting_of ON oauth_tickets (address, expires_at)
      WHERE kind = 'interaction' AND address LIKE 'account %'`)
  }
}
