/// A value in its own object, which copies share until one of them changes.
///
/// An async function keeps space for each of its variables while it waits, often several times. A call runs through a
/// dozen such functions, so each value that it passes on should use only one machine word.
struct CopyOnWrite<Value: Sendable>: Sendable {
  // Safe to share: only an object with a single owner changes.
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

  /// Whether both share the same object, because neither has changed since the copy.
  func isSame(as other: CopyOnWrite) -> Bool { storage === other.storage }

  var value: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }
}
