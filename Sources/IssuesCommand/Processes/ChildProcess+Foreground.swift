internal import PlatformModules

extension ChildProcess {
  /// Runs a program that uses the terminal, until it ends. In the meantime the program handles Ctrl-C, and afterward the
  /// terminal has its original settings.
  static func runInForeground(
    _ arguments: [String], environment: [String: String]
  ) async throws(CommandFailure) -> Termination {
    let world = World.current
    let progress = world.giveWay()
    defer { progress?.resume() }
    var settings = termios()
    let isTerminal = unsafe tcgetattr(world.input.descriptor, &settings) == 0
    let observation = Interrupt.observe {}
    defer {
      observation?.cancel()
      if isTerminal { unsafe tcsetattr(world.input.descriptor, TCSADRAIN, &settings) }
    }
    let child: ChildProcess
    do {
      child = try ChildProcess(arguments, environment: environment)
    } catch {
      throw CommandFailure(.failed, "\(error)")
    }
    return await child.wait()
  }
}
