/// The tables of a team's mirror as an earlier version of the package left them.
public enum EarlierTables {
  /// SQL that removes the parts of later versions, from the schema that is searched first.
  public static let version6 = """
    DROP TABLE worker; ALTER TABLE mirror DROP COLUMN readable_from;
    DROP INDEX item_by_any_creation, item_everywhere_by_change, item_everywhere_by_creation;
    ALTER TABLE queue DROP COLUMN delivered_at;
    UPDATE mirror SET version = 6
    """
}
