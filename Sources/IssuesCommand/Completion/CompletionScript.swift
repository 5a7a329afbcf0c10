internal import ArgumentParser

/// A shell's completion script. It requests candidates from the program at each completion.
enum CompletionScript: String, CaseIterable {
  case bash
  case zsh
  case fish

  private static let option = "--generate-completion-script"

  /// The response to an installer that requests a script, or to a script that requests candidates; nil for any other
  /// arguments.
  static func response(to arguments: [String]) async throws -> String? {
    if arguments.first == "---complete" {
      // The arguments are the line after `--`, and bash's word.
      let line = ShellLine(arguments.dropFirst(2).first ?? "")
      var candidates = await LineCompletion(line).candidates
      if let word = arguments.dropFirst(3).first, candidates != [LineCompletion.files] {
        candidates = candidates.compactMap { line.replacement(for: word, by: $0) }
      }
      return candidates.joined(separator: "\n")
    }
    guard let index = arguments.firstIndex(where: { $0 == option || $0.hasPrefix("\(option)=") })
    else { return nil }
    let attached = arguments[index].split(separator: "=").dropFirst().first.map(String.init)
    let shell = attached ?? arguments.dropFirst(index + 1).first
    guard let script = shell.flatMap(Self.init) else {
      throw ValidationError(
        "There are completion scripts for bash, zsh and fish: '\(option) bash', for example.")
    }
    return script.text
  }

  var text: String {
    switch self {
    case .bash:
      #"""
      _issues() {
          local lines line
          lines="$("$1" ---complete -- "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)"
          if [[ $lines = :files ]]; then
              compopt -o filenames 2>/dev/null
              lines="$(compgen -f -- "$2")"
          fi
          COMPREPLY=()
          while IFS= read -r line; do
              [[ -z $line ]] || COMPREPLY+=("$line")
          done <<<"$lines"
      }
      complete -F _issues issues
      """#
    case .zsh:
      #"""
      #compdef issues
      _issues() {
          local -a lines
          lines=("${(@f)$("${(Q)words[1]}" ---complete -- \
              "${(j: :)words[1,CURRENT-1]} $QIPREFIX$IPREFIX$PREFIX" 2>/dev/null)}")
          if [[ $lines = :files ]]; then
              compset -P 1 '(--*=|-[^-])'
              _files
          elif [[ -n $lines ]]; then
              lines=("${(@)lines//:/\\:}")
              lines=("${(@)lines/$'\t'/:}")
              _describe -V '' lines -U
              # Names with the typed part in their middle leave it as it is.
              if (( compstate[nmatches] > 1 && $#compstate[unambiguous] < $#PREFIX )); then
                  compstate[insert]=${compstate[insert]:#*unambiguous}
              fi
          fi
      }
      if [[ ${funcstack[1]} = _issues ]]; then _issues "$@"; else compdef _issues issues; fi
      """#
    case .fish:
      #"""
      function __issues_complete
          set -l words (commandline -opc)
          set -l lines ($words[1] ---complete -- "$(commandline -pc)" 2>/dev/null)
          if test "$lines" = :files
              set -l word "$(commandline -ct)"
              set -l start "$(string match -r '^--[^=]*=|^-[^-]' -- $word)"
              set -l file (string replace -- "$start" '' $word)
              printf '%s\n' $start(complete -C "__fish_command_without_completions $file")
          else
              printf '%s\n' $lines
          end
      end
      complete -c issues -f -k -a '(__issues_complete)'
      """#
    }
  }
}
