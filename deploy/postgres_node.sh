#!/bin/sh
# Starts one of two PostgreSQL nodes: the primary when NODE is PRIMARY, otherwise a standby of the primary.
set -eu

# It was the primary before a failover. Started as it is, there would be two primaries.
if [ "$NODE" != "$PRIMARY" ] && [ -s "$PGDATA/PG_VERSION" ] && [ ! -e "$PGDATA/standby.signal" ]; then
  echo "The volume of $NODE is that of a primary, and the primary is $PRIMARY: remove it, and $NODE becomes a standby." >&2
  exit 1
fi

# The copy gives no application_name, which would count as the standby that commits wait for. The standby itself has
# its cluster_name for that.
if [ "$NODE" != "$PRIMARY" ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -o postgres -g postgres -m 0700 "$PGDATA"
  until gosu postgres env PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup \
    --dbname="host=$PRIMARY user=replicator" --pgdata="$PGDATA" \
    --write-recovery-conf --wal-method=stream --checkpoint=fast; do
    rm -rf "${PGDATA:?}"/*
    sleep 2
  done
fi

# Run by the image at the first start of an empty primary.
cat > /docker-entrypoint-initdb.d/pharos.sh <<'INIT'
psql --username=postgres --set=ON_ERROR_STOP=1 \
  --set=replication="$REPLICATION_PASSWORD" --set=application="$DATABASE_PASSWORD" <<'SQL'
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication';
CREATE ROLE pharos LOGIN PASSWORD :'application';
CREATE DATABASE pharos OWNER pharos ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0;
SQL
echo "host replication replicator all scram-sha-256" >> "$PGDATA/pg_hba.conf"
INIT

# Without a standby no commit of the first start would end, so these do not wait for one.
export PGOPTIONS='-c synchronous_commit=local'
exec docker-entrypoint.sh postgres \
  -c "cluster_name=$NODE" \
  -c "synchronous_standby_names=$SYNCHRONOUS_STANDBYS" \
  -c max_connections=200 \
  -c shared_buffers=512MB \
  -c max_wal_size=4GB \
  -c wal_keep_size=2GB
