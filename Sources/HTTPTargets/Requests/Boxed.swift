/// A value in its own object, which copies share. A change creates another object.
///
/// An async function keeps space for each of its variables while it waits, often several times. A call runs through a
/// dozen such functions, so each value that it passes on should use only one machine word.
struct Boxed<Value: Sendable>: Sendable {
  private final class Storage: Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  private var storage: Storage

  init(_ value: Value) {
    storage = Storage(value)
  }

  /// Whether both share the same object, because neither has changed since the copy.
  func isSame(as other: Boxed) -> Bool { storage === other.storage }

  var value: Value {
    _read { yield storage.value }
    _modify {
      var value = storage.value
      defer { storage = Storage(value) }
      yield &value
    }
  }
}
