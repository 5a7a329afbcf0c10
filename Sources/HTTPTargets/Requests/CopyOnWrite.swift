/// A value in its own object, which copies share until one of them changes.
///
/// An async function reserves space for each of its variables, often several times over, as long as it waits. A call
/// passes through a dozen such functions, so the values that it carries take one word each.
struct CopyOnWrite<Value: Sendable>: Sendable {
  /// `@unchecked Sendable`: an object to which others refer never changes.
  private final class Storage: @unchecked Sendable {
    var value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  private var storage: Storage

  init(_ value: Value) {
    storage = Storage(value)
  }

  /// Whether both are copies, unchanged since the copy.
  func isSame(as other: CopyOnWrite) -> Bool { storage === other.storage }

  var value: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }
}
