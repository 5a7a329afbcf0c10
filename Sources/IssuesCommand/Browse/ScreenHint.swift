/// The hint that the screen exists, below the first list that `issues` shows in a clone.
enum ScreenHint {
  /// The hint, once; nil if it can't be recorded that the user has read it.
  static func take(environment: [String: String]) -> String? {
    guard let file = StateFile(named: "screen-hint", largest: 1_024, environment: environment),
      file.lines.isEmpty
    else { return nil }
    file.replace(with: ["shown"])
    return file.lines.isEmpty
      ? nil : "'issues browse' shows these issues on a screen, where you can filter, read and act."
  }

  static func show() {
    let world = World.current
    let streams = [world.input, world.output, world.errors]
    guard streams.allSatisfy(\.terminal.isTerminal), !OutputStyle.isDumb(world.environment),
      let text = take(environment: world.environment)
    else { return }
    ErrorOutput(descriptor: world.errors.descriptor).write(text)
  }
}
