internal import ArgumentParser

/// An agent that reads skills (<https://agentskills.io>), each a folder with a `SKILL.md`.
enum SkillAgent: String, NamedChoice, Sendable {
  case claude
  case codex
  case copilot
  case cursor
  case gemini
  case opencode

  /// In the home folder or in a project's. Most agents share one.
  var folder: String {
    switch self {
    case .claude: ".claude/skills"
    case .codex, .copilot, .cursor, .gemini, .opencode: ".agents/skills"
    }
  }

  /// The skill's name, which must match its folder's.
  func path(in base: String) -> String { "\(base)/\(folder)/\(SkillText.name)/SKILL.md" }
}
