/// The tables that workers share.
extension PostgresSchema {
  static let deliveries = """
    -- When a webhook last told of a change of an issue.
    ALTER TABLE queue ADD COLUMN delivered_at timestamptz;
    """

  static let workers = """
    -- The oldest version that a program must know to read the tables.
    ALTER TABLE mirror ADD COLUMN readable_from integer NOT NULL DEFAULT 0;

    -- Workers that are alive, by a number that each has made up. One that doesn't report counts as dead.
    CREATE TABLE worker (
      id bigint PRIMARY KEY,
      host text COLLATE "C" NOT NULL,
      name text NOT NULL,
      started_at timestamptz NOT NULL,
      seen_at timestamptz NOT NULL,
      dead_at timestamptz NOT NULL,
      paused_until timestamptz,
      pause text) WITH (fillfactor = 70);
    """

  static let probes = """
    -- Whether an organisation's list has what its repositories' lists have: from when on it was read, and how much of
    -- what syncs have found was in it in a row.
    ALTER TABLE feed ADD COLUMN listed_from bigint;
    ALTER TABLE feed ADD COLUMN news_confirmed bigint NOT NULL DEFAULT 0;

    -- The newest change that a sync has found, and that the organisation's list has said, by the server's clock.
    ALTER TABLE queue ADD COLUMN newest_change bigint;
    ALTER TABLE queue ADD COLUMN listed_to bigint;
    ALTER TABLE queue ADD COLUMN is_unlisted boolean NOT NULL DEFAULT false;
    -- Whether the list has said something since a worker took it.
    ALTER TABLE queue ADD COLUMN has_news boolean NOT NULL DEFAULT false;
    """

  static let feeds = """
    -- Organisations whose lists of changed issues workers ask for. `since` is a time of the server's.
    CREATE TABLE feed (
      host text COLLATE "C" NOT NULL,
      owner_key text COLLATE "C" NOT NULL,
      owner text NOT NULL,
      due_at timestamptz NOT NULL,
      since bigint,
      entity_tag text,
      asked_at timestamptz,
      hints bigint NOT NULL DEFAULT 0,
      failure text,
      PRIMARY KEY (host, owner_key)) WITH (fillfactor = 70);
    """

  static let spendings = """
    ALTER TABLE budget_block ADD COLUMN points bigint NOT NULL DEFAULT 0;

    -- What all users of a token have spent of a minute's points, by slots of a few seconds since 1970.
    CREATE TABLE budget_spending (
      key text COLLATE "C" NOT NULL,
      slot bigint NOT NULL,
      points bigint NOT NULL,
      PRIMARY KEY (key, slot)) WITH (fillfactor = 70);
    """

  static let queue = """
    -- Repositories to keep up to date. A lease is a number that its worker has made up: whoever has lost it finds
    -- nothing under it.
    CREATE TABLE queue (
      host text COLLATE "C" NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      name text NOT NULL,
      reason text NOT NULL,
      priority bigint NOT NULL,
      added_at timestamptz NOT NULL,
      due_at timestamptz NOT NULL,
      lease bigint,
      holder text,
      lease_ends_at timestamptz,
      failures bigint NOT NULL DEFAULT 0,
      failed_at timestamptz,
      failure text,
      synced_at timestamptz,
      interval_seconds double precision,
      changes_per_hour double precision,
      PRIMARY KEY (host, name_key)) WITH (fillfactor = 70);
    -- In the order of claims, so that each finds its repository without a look at all that are due.
    CREATE INDEX queue_by_urgency ON queue (host, priority DESC, due_at);

    -- The requests that a server still allows a token, and that no worker has reserved. The key is a digest of server
    -- and token. Without a quota, nothing is known yet, or there is no limit.
    CREATE TABLE budget (
      key text COLLATE "C" NOT NULL,
      resource text COLLATE "C" NOT NULL,
      host text COLLATE "C" NOT NULL,
      quota bigint,
      remaining bigint,
      is_unlimited boolean NOT NULL DEFAULT false,
      reset bigint NOT NULL DEFAULT 0,
      ends_at timestamptz,
      paused_until timestamptz,
      PRIMARY KEY (key, resource)) WITH (fillfactor = 70);

    -- What a worker has reserved and not reported as used. Where a worker has died, that is lost with its block.
    CREATE TABLE budget_block (
      key text COLLATE "C" NOT NULL,
      resource text COLLATE "C" NOT NULL,
      worker bigint NOT NULL,
      outstanding bigint NOT NULL,
      ends_at timestamptz NOT NULL,
      PRIMARY KEY (key, resource, worker));
    """
}
