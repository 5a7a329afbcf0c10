# Builds the command from source, with Homebrew's Swift. Not run against Homebrew's own registry.
class Issues < Formula
  desc "Fast client of GitHub's issues for the terminal"
  homepage "ORIGIN"
  url "ORIGIN/archive/refs/tags/0.1.0.tar.gz"
  sha256 "CHECKSUM"
  license "MIT"

  depends_on "pkg-config" => :build
  depends_on "swift" => :build
  depends_on "cmark-gfm"
  depends_on "curl"
  depends_on :linux
  depends_on "ncurses"
  depends_on "sqlite"

  def install
    flags = Utils.safe_popen_read("Scripts/release-flags").lines(chomp: true)
    system "swift", "build", "--disable-sandbox", *flags, "--product", "issues"
    folder = Utils.safe_popen_read("swift", "build", *flags, "--show-bin-path").chomp
    bin.install "#{folder}/issues"
    generate_completions_from_executable(bin/"issues", "--generate-completion-script")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/issues --version")
    assert_match "OPEN", shell_output("#{bin}/issues apple/swift --stub")
  end
end
