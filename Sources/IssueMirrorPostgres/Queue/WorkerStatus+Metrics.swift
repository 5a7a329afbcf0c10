extension WorkerStatus {
  /// The status in [Prometheus' text
  /// format](https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format). It contains the names of
  /// the repositories in the queue.
  public var metrics: String {
    var text = MetricsText()
    text.gauge("issues_queue_repositories", "Repositories in the queue.", repositories)
    text.gauge("issues_queue_due", "Repositories that are due and not taken.", due)
    text.gauge(
      "issues_queue_held", "Repositories that workers are syncing.", held.count)
    text.gauge(
      "issues_queue_never_synced", "Repositories that were never fully synced.", neverSynced)
    text.gauge(
      "issues_queue_failing", "Repositories whose last sync failed.", failing.count)
    text.gauge(
      "issues_queue_longest_wait_seconds", "How long the first due repository has waited.",
      longestWait / .seconds(1))
    text.family("issues_queue_age_seconds", "Time since the last sync of a repository.")
    for (quantile, age) in [("0.5", medianAge), ("0.95", age95)] {
      guard let age else { continue }
      text.sample("issues_queue_age_seconds", [("quantile", quantile)], age / .seconds(1))
    }
    text.family("issues_repository_age_seconds", "Time since the last sync of each repository.")
    for entry in ages {
      text.sample(
        "issues_repository_age_seconds", [("host", entry.host), ("repository", entry.repository)],
        entry.age / .seconds(1))
    }
    text.gauge("issues_workers", "Workers that are alive.", workers.count)
    text.family(
      "issues_worker_paused", "Whether a worker pauses, and why: a limit, a full disk, an outage.")
    for worker in workers {
      text.sample(
        "issues_worker_paused",
        [("host", worker.host), ("worker", worker.name), ("reason", worker.pause ?? "")],
        worker.pause == nil ? 0 : 1)
    }
    text.family("issues_repository_failures", "Failed syncs of a repository in a row.")
    for entry in failing {
      text.sample(
        "issues_repository_failures", [("host", entry.host), ("repository", entry.repository)],
        Double(entry.failures))
    }
    let values: [(String, String, (Budget) -> Double)] = [
      ("quota", "Requests in a window.", { Double($0.quota) }),
      ("remaining", "Requests that are left and not reserved.", { Double($0.remaining) }),
      ("reserved", "Requests that workers have reserved.", { Double($0.reserved) }),
      ("renewed_in_seconds", "Time until the window ends.", { $0.renewedIn / .seconds(1) }),
      ("paused_seconds", "Time until requests are allowed.", { $0.pausedFor / .seconds(1) }),
    ]
    for (name, help, value) in values {
      text.family("issues_budget_\(name)", help)
      for budget in budgets {
        text.sample(
          "issues_budget_\(name)",
          [("host", budget.host), ("token", budget.token), ("resource", budget.resource)],
          value(budget))
      }
    }
    text.family(
      "issues_feed_complete", "Whether an organization's list of changes was found to be complete.")
    for feed in feeds {
      text.sample(
        "issues_feed_complete", [("host", feed.host), ("organization", feed.organization)],
        feed.isComplete ? 1 : 0)
    }
    return text.text
  }
}

private struct MetricsText {
  private(set) var text = ""

  mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    gauge(name, help, Double(value))
  }

  mutating func gauge(_ name: String, _ help: String, _ value: Double) {
    family(name, help)
    sample(name, [], value)
  }

  mutating func family(_ name: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
  }

  mutating func sample(_ name: String, _ labels: [(String, String)], _ value: Double) {
    let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    let number = value == value.rounded() ? "\(Int(value))" : "\(value)"
    text += "\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(number)\n"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
