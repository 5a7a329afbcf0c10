internal import ArgumentParser

/// Corrects the completion scripts that the parser writes.
///
/// - bash splits words at colons and behind `@` (`COMP_WORDBREAKS`): the pieces of `127.0.0.1:8080/o/r` and `@triage`
///   are joined again.
/// - The default subcommand counts as `list`: otherwise `issues --st` and `issues apple/sw` would complete nothing.
/// - A value may stand behind `=` (where bash splits words too) or right at its letter, and names follow `help`.
enum CompletionScript {
  private static var subcommands: String {
    let names = IssuesCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    return (names + ["help"]).joined(separator: " ")
  }

  private static var changes: [(line: String, addition: String)] {
    [
      (
        "    set +o history +o posix",
        #"""
            local -a pieces=("${COMP_WORDS[@]}") joined=()
            local -i piece word=-1 cword=0
            local before_colon=''
            for ((piece = 0; piece < ${#pieces[@]}; piece++)); do
                if [[ word -gt 0 && "${pieces[piece]}" = '=' && "${joined[word]}" = --* ]]\
                    && [[ "${COMP_LINE}" = *"${joined[word]}="* ]]
                then
                    [[ piece -eq COMP_CWORD ]] && joined[++word]='' && cword=word
                    continue
                fi
                if [[ word -gt 0 && -n "${pieces[piece]}" ]]\
                    && [[ "${pieces[piece]}" = :* || "${joined[word]}" = *: || "${joined[word]}" = @ ]]\
                    && [[ "${COMP_LINE}" = *"${joined[word]}${pieces[piece]}"* ]]
                then
                    joined[word]+="${pieces[piece]}"
                    [[ piece -eq COMP_CWORD ]] && before_colon="${joined[word]%"${joined[word]##*:}"}"
                else
                    joined[++word]="${pieces[piece]//\\:/:}"
                fi
                [[ piece -eq COMP_CWORD ]] && cword=word
            done
            local typed="${2//\\:/:}"
        [[ "${joined[cword]}" = @* ]] && typed="${joined[cword]}"
            set -- "${1}" "${before_colon}${typed#[:=]}" "${joined[cword - 1]}"
            local -a COMP_WORDS=("${joined[@]}")
            local -i COMP_CWORD=cword
        """#
      ),
      (
        #"        COMPREPLY+=("${completion}")"#,
        #"        COMPREPLY[${#COMPREPLY[@]} - 1]="${completion#"${before_colon}"}""#
      ),
      (
        #"    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")"#,
        """
            if [[ " \(subcommands) " != *" ${unparsed_words[0]} "* ]]\\
                && [[ "${COMP_CWORD}" -gt 1 || -z "$(compgen -W '\(subcommands)' -- "${cur}")" ]]
            then
                unparsed_words=(list "${unparsed_words[@]}")
            fi
        """
      ),
      (
        #"    local -ir current_word_index="$((CURRENT - 1))""#,
        """
            local -ar first_words=(\(subcommands))
            local -ar named=(${(M)first_words:#${words[2]}})
            local -ar begun=(${(M)first_words:#${PREFIX}*})
            if (( ${#named} == 0 && (CURRENT > 2 || ${#begun} == 0) )); then
                words=("${words[1]}" list "${(@)words[2,-1]}")
                (( CURRENT++ ))
            fi
        """
      ),
      (
        "    set -l unparsed_tokens (__issues_tokens -pc)",
        """
            set -l first_words \(subcommands)
            if set -q unparsed_tokens[2]
                contains -- $unparsed_tokens[2] $first_words
                or set unparsed_tokens $unparsed_tokens[1] list $unparsed_tokens[2..]
            else
                string match -q -- "$(commandline -ct)*" $first_words
                or set -a unparsed_tokens list
            end
        """
      ),
    ]
  }

  private static var topics: [(path: String, names: String)] {
    let groups = IssuesCommand.configuration.subcommands.filter {
      !$0.configuration.subcommands.isEmpty
    }
    return [("", names(of: IssuesCommand.self) + " --all")]
      + groups.map { ($0._commandName, names(of: $0)) }
  }

  private static func names(of command: any ParsableCommand.Type) -> String {
    command.configuration.subcommands.map { $0._commandName }.joined(separator: " ")
  }

  /// A script is recognised by its first words.
  private static var additions: [(shell: String, line: String, replacement: String)] {
    let bash = topics.map { topic in
      """
          '\(topic.path)') COMPREPLY+=($(compgen -W '\(topic.names)' -- "${cur}")) ;;
      """
    }
    let zsh = topics.map { topic in
      """
          '\(topic.path)') __issues_complete \(topic.names) ;;
      """
    }
    let fish = topics.map { topic in
      let words = topic.path.isEmpty ? "help" : "help \(topic.path)"
      return """
        complete -c 'issues' -n 'set -l words (__issues_tokens -pc); test "$words[2..]" = "\(words)"' \
        -fa '\(topic.names)'
        """
    }
    return [
      (
        "#!/bin/bash", "_issues_help() {",
        """
        _issues_help() {
            case "${COMP_WORDS[*]:2:COMP_CWORD - 2}" in
        \(bash.joined(separator: "\n"))
            esac
        """
      ),
      (
        "#compdef", "        '*:subcommands:'",
        """
                '*:subcommands:{__issues_help_topics}'
        """
      ),
      (
        "#compdef", #"if [[ "${funcstack[1]}" = _issues ]]; then"#,
        """
        __issues_help_topics() {
            case "${words[2,CURRENT-1]}" in
        \(zsh.joined(separator: "\n"))
            esac
        }

        if [[ "${funcstack[1]}" = _issues ]]; then
        """
      ),
      (
        "function", "complete -c 'issues' -f",
        fishCommandCheck + "complete -c 'issues' -f\n" + fish.joined(separator: "\n")
      ),
    ]
  }

  /// Allows a value right behind its option, in a line of zsh's script.
  private static func withAttachedValue(_ line: String) -> String {
    guard line.hasPrefix("        '"), line.contains(/[^\\]\]:/),
      let name = line.firstMatch(of: /--[a-z-]+(?=\}?'?\[)/)
    else { return line }
    var line = line
    line.insert("=", at: name.range.upperBound)
    return line.replacing(/\{(-[A-Za-z]),/, maxReplacements: 1) { "{\($0.output.1)+," }
  }

  /// Finds the cursor: fish before 4 fails with the parser's way, and only this one works on a line that nobody types.
  private static func withCursorFound(_ line: String) -> String {
    line.replacing("(__issues_tokens -tC)", with: #"(string length -- "$(commandline -ct)")"#)
  }

  /// Finds the subcommand of a line once, not for each of the thousand candidates.
  private static let fishCommandCheck = """
    function __issues_is_at -a expected_commands
        set -l line "$(commandline -pc)"
        if test "$line" != "$__issues_line"
            set -l non_repeating_flags_or_options
            set -l non_repeating_flags_or_options_absent 0
            set -l positional_index 0
            set -l commands
            __issues_parse_tokens
            set -g __issues_line $line
            set -g __issues_commands "$commands"
        end
        test "$__issues_commands" = "$expected_commands"
    end


    """

  /// Asks for the subcommand first: fish asks the same question only once for a line.
  private static func withCommandCheck(_ line: String) -> String {
    line.replacing(/^complete -c 'issues' -n '(__issues_should_offer_[a-z_]+) ("[a-z -]+")/) {
      "complete -c 'issues' -n '__issues_is_at \($0.output.2)' -n '\($0.output.1) \($0.output.2)"
    }
  }

  /// Leaves a script without these lines as it is.
  static func mended(_ script: String) -> String {
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for change in changes {
      guard let index = lines.firstIndex(of: change.line) else { continue }
      lines.insert(change.addition, at: index + 1)
    }
    for addition in additions where script.hasPrefix(addition.shell) {
      guard let index = lines.firstIndex(of: addition.line) else { continue }
      lines[index] = addition.replacement
    }
    if script.hasPrefix("#compdef") { lines = lines.map(withAttachedValue) }
    if script.hasPrefix("function") {
      lines = lines.map { withCommandCheck(withCursorFound($0)) }
    }
    return lines.joined(separator: "\n")
  }
}
