internal import PlatformModules

/// The actions of `posix_spawn` between fork and exec.
struct SpawnActions {
  #if canImport(Darwin)
    private var actions: posix_spawn_file_actions_t?
    private var attributes: posix_spawnattr_t?
  #else
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
  #endif

  #if canImport(Darwin)
    private static let startsSessionFlag = Int32(POSIX_SPAWN_SETSID)
  #else
    /// `POSIX_SPAWN_SETSID` of glibc's and musl's `<spawn.h>`, which needs `_GNU_SOURCE`.
    private static let startsSessionFlag: Int32 = 0x80
  #endif

  init() {
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
  }

  mutating func destroy() {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  mutating func duplicate(_ descriptor: Int32, to target: Int32) {
    posix_spawn_file_actions_adddup2(&actions, descriptor, target)
  }

  mutating func open(_ path: String, as target: Int32) {
    posix_spawn_file_actions_addopen(&actions, target, path, O_RDWR, 0)
  }

  /// Closes everything but the standard three: an inherited socket would stay open with the child.
  ///
  /// It closes by number, and some beyond the highest, since other threads open descriptors meanwhile. Closing one that
  /// isn't open is no error here. Swift doesn't see glibc's `addclosefrom_np`.
  mutating func closeOthers() {
    #if os(Linux)
      guard let folder = opendir("/proc/self/fd") else { return }
      defer { closedir(folder) }
      var highest: Int32 = 2
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        highest = max(highest, Int32(name) ?? 2)
      }
      for descriptor in 3...highest + 64 {
        posix_spawn_file_actions_addclose(&actions, descriptor)
      }
    #endif
  }

  /// Starts the child, with signals as a shell sets them.
  mutating func spawn(
    _ path: String, _ arguments: [String], _ environment: [String], startsSession: Bool
  ) throws -> pid_t {
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    if startsSession { flags |= Self.startsSessionFlag }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var argumentPointers = arguments.map { strdup($0) } + [nil]
    var environmentPointers = environment.map { strdup($0) } + [nil]
    defer {
      for pointer in argumentPointers + environmentPointers { free(pointer) }
    }
    var identifier: pid_t = 0
    let code = posix_spawn(
      &identifier, path, &actions, &attributes, &argumentPointers, &environmentPointers)
    guard code == 0 else { throw ChildProcess.Failure(call: "posix_spawn \(path)", code: code) }
    return identifier
  }
}
