internal import GRDB

/// What a sync keeps beside what the server sent.
extension MirrorSchema {
  /// Adds when each row was asked for, what is known to be missing, and what couldn't be read.
  ///
  /// `asked_at` is in microseconds since 1970 by this machine's clock, which the syncs of a file share: of two
  /// versions of one second the one that was asked for later stays.
  @Sendable static func addSyncState(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE item ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE comment ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE tombstone ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;

        -- Up to which number each that isn't kept is still to be asked for; null: each was.
        ALTER TABLE repository ADD COLUMN unproven_to INTEGER;
        -- A difference of counts that may be the server's delay, and since when it is known.
        ALTER TABLE repository ADD COLUMN miscount INTEGER;
        ALTER TABLE repository ADD COLUMN miscounted_at INTEGER;
        -- When all numbers were last gone through because of one.
        ALTER TABLE repository ADD COLUMN recounted_at INTEGER;
        -- When the lists of labels and milestones were last asked for.
        ALTER TABLE repository ADD COLUMN properties_checked_at INTEGER;

        -- The entity tags of the pages of the lists of labels and milestones, as they were read last.
        CREATE TABLE property_page (
          repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
          list TEXT NOT NULL CHECK (list IN ('labels', 'milestones')),
          page INTEGER NOT NULL,
          entity_tag TEXT NOT NULL,
          PRIMARY KEY (repository, list, page)) WITHOUT ROWID;
        -- Whether every item that has it has it as it is here: not where items came with other versions.
        ALTER TABLE label ADD COLUMN is_settled INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX label_by_id ON label (repository, id);
        ALTER TABLE milestone ADD COLUMN is_settled INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE milestone ADD COLUMN description TEXT;
        ALTER TABLE milestone ADD COLUMN due_on INTEGER;

        -- Numbers that were asked for and aren't there, and never were kept.
        CREATE TABLE absence (
          repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
          number INTEGER NOT NULL,
          PRIMARY KEY (repository, number)) WITHOUT ROWID;

        -- Entries that can't be read.
        CREATE TABLE set_aside (
          repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
          timeline TEXT NOT NULL,
          id INTEGER NOT NULL,
          number INTEGER NOT NULL,
          reason TEXT NOT NULL,
          found_at INTEGER NOT NULL,
          PRIMARY KEY (repository, timeline, id)) WITHOUT ROWID;
        """)
  }
}
