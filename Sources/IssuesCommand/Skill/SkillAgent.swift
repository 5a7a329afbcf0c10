internal import ArgumentParser

/// An agent that reads skills (<https://agentskills.io>), each a folder with a `SKILL.md`.
enum SkillAgent: String, NamedChoice, Sendable {
  case claude
  case codex
  case copilot
  case cursor
  case gemini
  case opencode

  /// The agent's folder in the home folder or in a project. Most agents share one.
  var folder: String {
    switch self {
    case .claude: ".claude/skills"
    case .codex, .copilot, .cursor, .gemini, .opencode: ".agents/skills"
    }
  }

  /// The path of the skill's file. The skill's name must match its folder's.
  func path(in base: String) -> String { "\(base)/\(folder)/\(SkillText.name)/SKILL.md" }
}
